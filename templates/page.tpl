<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src
 'sha256-@{style_hash}'; script-src 'sha256-@{script_hash}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>aotigen report</title>
<style>@{style}</style>
</head>
<body>
<header>
<div id="origin"></div>
<ul id="verdict" aria-label="verdict"></ul>
<div id="map" aria-label="launches in order"></div>
</header>
<div id="tools" role="search">
<input id="search" type="search" placeholder="search: kernel, operator, module, tensor   ( / )"
 aria-label="search launches" autocomplete="off" spellcheck="false">
<label><input id="only-bad" type="checkbox"> <span id="only-what">NaN or +Inf</span></label>
<span id="count" role="status"></span>
<button id="help-button" type="button" aria-label="help">?</button>
</div>
<main>
<noscript><p>The launches are drawn by a script, which this browser does not run.</p></noscript>
<ol id="launches"></ol>
<p id="nothing" hidden>No launch has all of these words.</p>
</main>
<dialog id="help" aria-label="help">
<h2>Keys</h2>
<dl>
<dt><kbd>/</kbd></dt><dd>search; <kbd>Enter</kbd> goes to the first launch found</dd>
<dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>next and previous launch</dd>
<dt><kbd>n</kbd> <kbd>p</kbd></dt><dd>next and previous that has NaN or +Inf, or differs</dd>
<dt><kbd>g</kbd> <kbd>G</kbd></dt><dd>first and last launch</dd>
<dt><kbd>Enter</kbd></dt><dd>open the launch: its texts whole, its numbers run by run</dd>
<dt><kbd>b</kbd></dt><dd>only these, or all</dd>
<dt><kbd>Esc</kbd></dt><dd>clear the search</dd>
<dt><kbd>?</kbd></dt><dd>this help</dd>
</dl>
<h2>Search</h2>
<p>Launches that have each of the words, in their kernel, operators, module, line of the model or
tensors. <code>kernel:</code>, <code>op:</code>, <code>module:</code>, <code>tensor:</code> and
<code>dtype:</code> before a word look there alone.</p>
<h2>Plots</h2>
<p>From left to right the runs; from the smallest to the largest finite element in each, on a scale
of its own. A dashed line is zero. <span class="nan">Red</span> runs have NaN,
<span class="inf">amber</span> ones have +Inf and no NaN. A -Inf, which a mask may hold on purpose,
is only counted. Of two recordings A and B both have the same scale.</p>
<form method="dialog"><button>Close</button></form>
</dialog>
<script type="application/json" id="data">@{data}</script>
<script>@{script}</script>
</body>
</html>
