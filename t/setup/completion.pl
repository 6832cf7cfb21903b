#!/usr/bin/env perl
# completion.pl bash|zsh PROGRAM - prints the shell's completion of aotigen, made from the output of
# PROGRAM.
#
# --help gives the verbs, the options and the verbs that each goes with; an option that takes one of
# a few values is handed a value that is none, and the message names them.
use strict;
use warnings;

my ($shell, $program) = @ARGV;
die "usage: completion.pl bash|zsh PROGRAM\n" if @ARGV != 2 || $shell !~ /^(?:bash|zsh)$/;

# What the program prints, to either stream.
sub said {
    my (@words) = @_;
    my $pid = open(my $from, '-|') // die "completion.pl: cannot fork: $!\n";
    if (!$pid) {
        open STDERR, '>&', \*STDOUT or die;
        exec { $program } $program, @words or die "cannot run '$program': $!\n";
    }
    local $/;
    return scalar(<$from>) // '';
}

# ---- reading

my (@verbs, @options, @goes_with);
for my $line (split /\n/, said('--help')) {
    if ($line =~ /^  aotigen (\w+) \[/) { push @verbs, $1 }
    elsif ($line =~ /^([a-z][a-z, ]*?)(?: \(.*\))?:$/) {
        @goes_with = $1 eq 'all' ? ('rewriting', @verbs) : split / and |, /, $1;
    }
    elsif ($line =~ /^  (?:-(\w),|   ) --([\w-]+)(?:=(\S+))?\s+(\S.*)$/) {
        push @options, { letter => $1, name => $2, value => $3, text => $4,
            verbs => { map { $_ => 1 } @goes_with } };
    } elsif (@options && $line =~ /^ {20,}(\S.*)$/) { $options[-1]{text} .= " $1" }
}
die "completion.pl: '$program --help' names no options\n" if !@options || !@verbs;

for my $o (@options) {
    $o->{text} =~ s/ \[[^\]]*\]$//;
    $o->{spelled} = [$o->{letter} ? "-$o->{letter}" : (), "--$o->{name}"];
    next if !$o->{value};
    my ($list) = said("--$o->{name}=\x7f") =~ /must be ([\w-]+(?:, [\w-]+)* or [\w-]+)$/m;
    $o->{choices} = $list && join ' ', split /, | or /, $list;
}

sub of_verb { my ($verb) = @_; return grep { $_->{verbs}{$verb} } @options }

# ---- bash

# The completion of a value; nothing for a file.
sub bash_value {
    my ($o) = @_;
    return () if $o->{value} eq 'FILE';
    my $how = $o->{choices} ? "values='$o->{choices}'"
        : 'compopt +o default ' . ($o->{value} eq 'DIR' ? '-o dirnames ' : '') . '2>/dev/null';
    return '    ' . join(' | ', @{ $o->{spelled} }) . ") $how ;;";
}

sub bash_options {
    my ($verb) = @_;
    my @names = map { "--$_->{name}" . ($_->{value} ? '=' : '') } of_verb($verb);
    return "    $verb) options='@names' ;;";
}

sub bash {
    my @takes = grep { $_->{value} } @options;
    my %slot = (
        VALUES => join("\n", map { bash_value($_) } @takes),
        OPTIONS => join("\n", map { bash_options($_) } 'rewriting', @verbs),
        TAKES => join(' | ', map { @{ $_->{spelled} } } @takes),
        VERBS => "@verbs",
        ANY_VERB => join(' | ', @verbs),
    );
    local $/;
    return <DATA> =~ s/\@(\w+)\@/$slot{$1}/gr;
}

# ---- zsh

sub zsh_option {
    my ($o) = @_;
    my $text = $o->{text} =~ s/([\\\[\]:])/\\$1/gr =~ s/'/'\\''/gr;
    my @names = @{ $o->{spelled} };
    my $first = @names > 1 ? "'(@names)'" : '';
    if ($o->{value}) {
        my $how = $o->{choices} ? "($o->{choices})" : $o->{value} eq 'FILE' ? '_files'
            : $o->{value} eq 'DIR' ? '_files -/' : ' ';
        $text = "[$text]:" . lc($o->{value}) . ":$how";
        @names = map { /^--/ ? "$_=" : "$_+" } @names;
    } else { $text = "[$text]" }
    return $first . (@names > 1 ? '{' . join(',', @names) . '}' : $names[0]) . "'$text'";
}

sub zsh_verb {
    my ($verb) = @_;
    my %files = (build => '*.(cpp|o|a)', replay => '*.capsule');
    my $files = $files{ $verb // '' } // '*.(pt2|cpp)';
    my $first = $verb ? "'1:verb:($verb)'" : "'1:input:_aotigen_first'";
    my $operands =
        ($verb // '') eq 'run' ? q{'*::command:_normal'} : qq{'*:input:_files -g "$files"'};
    my @lines = ((map { zsh_option($_) } of_verb($verb // 'rewriting')), $first, $operands);
    return join "\n", '  ' . ($verb // '*') . ')', '    arguments=(', (map { "      $_" } @lines),
        '    )', "    ;;\n";
}

sub zsh {
    my ($any, @cases) = (join('|', @verbs), map { zsh_verb($_) } @verbs, undef);
    return <<"END";
#compdef aotigen
# Completion of aotigen(1) for zsh, made from 'aotigen --help' by t/setup/completion.pl.
local verb=\${\${(M)words[2,CURRENT-1]:#($any)}[1]}
local -a arguments

_aotigen_first() {
  _alternative 'verbs:verb:(@verbs)' 'inputs:input:_files -g "*.(pt2|cpp)"'
}

case \$verb in
@{[join '', @cases]}esac

_arguments -s -S : \$arguments
END
}

print $shell eq 'bash' ? bash() : zsh();

__DATA__
# Completion of aotigen(1) for bash, made from 'aotigen --help' by t/setup/completion.pl.

# _aotigen_value OPTION TEXT PREFIX: the values of OPTION that begin with TEXT, PREFIX before each;
# files readline completes itself.
_aotigen_value() {
  local values=''
  case $1 in
@VALUES@
  esac
  mapfile -t COMPREPLY < <(compgen -P "$3" -W "$values" -- "$2")
}

_aotigen_option() {
  mapfile -t COMPREPLY < <(compgen -W "$2" -- "$1")
  if [[ ${COMPREPLY[*]} == *= ]]; then compopt -o nospace 2>/dev/null; fi
}

_aotigen_files() {
  local suffix
  for suffix in "${@:2}"; do
    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -X "!*.$suffix" -- "$1")
  done
  mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$1")
  compopt -o filenames 2>/dev/null
}

_aotigen_operand() {
  if ((COMP_CWORD == 1)); then mapfile -t COMPREPLY < <(compgen -W '@VERBS@' -- "$1"); fi
  if [[ $2 == run ]]; then
    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -A command -- "$1")
  elif [[ $2 == build ]]; then _aotigen_files "$1" cpp o a; else _aotigen_files "$1" pt2 cpp; fi
}

_aotigen() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
  local verb=rewriting options='' word
  COMPREPLY=()
  for word in "${COMP_WORDS[@]:1:COMP_CWORD - 1}"; do
    case $word in @ANY_VERB@) verb=$word && break ;; esac
  done
  # Behind the command of run stand its own words: files, as readline completes them.
  if [[ $verb == run && " ${COMP_WORDS[*]:1:COMP_CWORD - 2} " == *' -- '* ]]; then return; fi
  case $verb in
@OPTIONS@
  esac
  # '=' parts words where it is among $COMP_WORDBREAKS, and else does not.
  if [[ $cur == --*=* ]]; then _aotigen_value "${cur%%=*}" "${cur#*=}" "${cur%%=*}="
  elif [[ $cur == = ]]; then _aotigen_value "$prev" '' ''
  elif [[ $prev == = ]]; then _aotigen_value "${COMP_WORDS[COMP_CWORD - 2]}" "$cur" ''
  else
    case $prev in
      @TAKES@) _aotigen_value "$prev" "$cur" '' ;;
      *)
        if [[ $cur == -* ]]; then _aotigen_option "$cur" "$options"
        else _aotigen_operand "$cur" "$verb"; fi
        ;;
    esac
  fi
}

complete -o default -F _aotigen aotigen
