'use strict';
/* Draws a recording from the JSON in the page. Its texts are a stranger's: they are only ever set
 * as text. */
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const byId = (id) => document.getElementById(id);
  const PLOT_WIDTH = 124, PLOT_HEIGHT = 20, SLICE = 150;
  const two = data.other !== undefined; // A and B are compared
  const launches = []; // {data, element, words, state}

  // ---- texts

  // What could steer how a text is shown, or not show at all, is written as its number.
  function shown(text) {
    return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu,
      (c) => '\\u{' + c.codePointAt(0).toString(16) + '}');
  }

  function make(parent, name, className, text) {
    const element = document.createElement(name);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = shown(text);
    parent.append(element);
    return element;
  }

  function number(x) {
    if (x === null || x === undefined) return '–';
    const size = Math.abs(x);
    if (size !== 0 && (size < 1e-3 || size >= 1e6)) return x.toExponential(2);
    return String(Number(x.toPrecision(5)));
  }

  const plural = (n, one) => n + ' ' + one + (n === 1 ? '' : one.endsWith('ch') ? 'es' : 's');
  const runName = (c) => c.first === c.last ? String(c.first) : c.first + '–' + c.last;

  // ---- plots

  function drawn(parent, name, attributes) {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    parent.append(element);
    return element;
  }

  // Where the columns and the values of an argument lie in its plot.
  function scaleOf(arg, partner) {
    const all = [arg, partner].filter((x) => x && x.all.min !== null).map((x) => x.all);
    const n = arg.min.length, inner = PLOT_HEIGHT - 4;
    const low = Math.min(...all.map((x) => x.min)), high = Math.max(...all.map((x) => x.max));
    const width = PLOT_WIDTH / n;
    return {
      width, low, high,
      left: (i) => i * width,
      y: (v) => high > low ? 2 + inner * (high - v) / (high - low) : PLOT_HEIGHT / 2,
    };
  }

  // The columns from `first` on that have finite elements, as one closed line.
  function bandPath(arg, scale, first, end) {
    const up = [], down = [];
    for (let i = first; i < end; i++) {
      const left = scale.left(i).toFixed(1), right = scale.left(i + 1).toFixed(1);
      up.push(left + ' ' + scale.y(arg.max[i]).toFixed(1),
        right + ' ' + scale.y(arg.max[i]).toFixed(1));
      down.unshift(right + ' ' + scale.y(arg.min[i]).toFixed(1),
        left + ' ' + scale.y(arg.min[i]).toFixed(1));
    }
    return 'M' + up.concat(down).join('L') + 'Z';
  }

  function drawBands(svg, arg, scale) {
    const n = arg.min.length;
    for (let i = 0, end; i < n; i = end + 1) {
      for (end = i; end < n && arg.min[end] !== null; end++);
      if (end > i) drawn(svg, 'path', { class: 'band', d: bandPath(arg, scale, i, end) });
    }
  }

  function drawMarks(svg, arg, scale) {
    for (let i = 0; i < arg.min.length; i++) {
      const nan = arg.nan && arg.nan[i], inf = arg.pos_inf && arg.pos_inf[i];
      if (!nan && !inf) continue;
      drawn(svg, 'rect', {
        class: nan ? 'mark-nan' : 'mark-inf', x: scale.left(i).toFixed(1), y: 0,
        width: Math.max(2, scale.width - .5).toFixed(1), height: 4,
      });
    }
  }

  function rangeText(arg) {
    const { min, max } = arg.all;
    if (!arg.all.scanned) return 'not scanned';
    if (arg.value !== undefined) return arg.value;
    if (min === null) return arg.all.elements ? 'no finite element' : 'empty';
    return min === max ? number(min) : number(min) + ' to ' + number(max);
  }

  function drawPlot(parent, arg, partner) {
    if (!arg.min) return make(parent, 'span');
    const scale = scaleOf(arg, partner);
    const svg = drawn(parent, 'svg', {
      class: 'plot', viewBox: '0 0 ' + PLOT_WIDTH + ' ' + PLOT_HEIGHT, role: 'img',
      'aria-label': 'range over the runs: ' + rangeText(arg),
    });
    drawBands(svg, arg, scale);
    if (scale.low < 0 && scale.high > 0) {
      const y = scale.y(0).toFixed(1);
      drawn(svg, 'line', { class: 'zero-line', x1: 0, x2: PLOT_WIDTH, y1: y, y2: y });
    }
    drawMarks(svg, arg, scale);
    return svg;
  }

  // ---- an argument

  function formText(arg) {
    if (!arg.dtype) return '';
    const sizes = arg.sizes ? ' [' + arg.sizes.join(', ') + ']' : '';
    return arg.dtype + sizes + (arg.varies ? ' …' : '');
  }

  function addCount(parent, className, n, what, runs, all) {
    if (!n) return;
    const span = make(parent, 'span', className, number(n) + ' ' + what);
    if (runs < all) span.append(' in ' + runs + '/' + all);
  }

  function addPart(parent, n, all, what) {
    if (!n || !all) return;
    const part = 100 * n / all;
    const text = part < .1 ? '<0.1' : number(Number(part.toPrecision(3)));
    make(parent, 'span', '', text + ' % ' + what);
  }

  function addCounts(parent, arg) {
    const counts = make(parent, 'span', 'counts'), all = arg.all;
    addCount(counts, 'nan', all.nan, 'NaN', all.runs_with_nan, all.runs);
    addCount(counts, 'inf', all.pos_inf, '+Inf', all.runs_with_pos_inf, all.runs);
    addPart(counts, all.neg_inf, all.elements, '-Inf');
    addPart(counts, all.zero, all.elements, 'zero');
    if (all.scanned && all.scanned < all.runs)
      make(counts, 'span', '', 'scanned in ' + all.scanned + '/' + all.runs);
  }

  // What one recording has of an argument, where there are two.
  function addSide(line, name, arg, partner) {
    make(line, 'span', 'side', arg ? name : '');
    if (!arg) { make(line, 'span'); make(line, 'span'); return; }
    drawPlot(line, arg, partner);
    const range = make(line, 'span', 'range', rangeText(arg)), all = arg.all;
    addCount(range, 'nan', all.nan, 'NaN', all.runs_with_nan, all.runs);
    addCount(range, 'inf', all.pos_inf, '+Inf', all.runs_with_pos_inf, all.runs);
  }

  const agreements = { agrees: 'agrees', differs: 'differs', unknown: 'not known' };

  function addSides(line, arg) {
    const other = arg.other;
    if (other && formText(other) !== formText(arg))
      line.querySelector('.form').append(' B: ' + formText(other));
    addSide(line, 'A', arg, other);
    addSide(line, 'B', other, arg);
    make(line, 'span', 'agreement ' + arg.agreement, agreements[arg.agreement] || '');
  }

  function addArg(parent, arg) {
    const line = make(parent, 'li', 'arg ' + arg.use);
    make(line, 'span', 'use', arg.use === 'wrote' ? 'wrote' : 'read');
    const name = make(line, 'span', 'name', arg.name);
    name.title = shown(arg.name + (arg.given_name ? ' (' + arg.given_name + ')' : ''));
    if (arg.given_name) make(name, 'span', 'given', arg.given_name);
    make(line, 'span', 'form', formText(arg)).title = formText(arg);
    if (two) { addSides(line, arg); return; }
    drawPlot(line, arg);
    make(line, 'span', 'range', rangeText(arg));
    addCounts(line, arg);
  }

  // Sizes and flags that are the same in each run; not literals.
  function addScalars(parent, args) {
    const named = args.filter((x) => /^[A-Za-z_]/.test(x.name));
    if (!named.length) return;
    make(parent, 'p', 'scalars', named.map((x) => x.name + ' = ' + x.value).join(', '));
  }

  // ---- a launch that is opened

  function addText(list, name, text) {
    if (!text) return;
    make(list, 'dt', '', name);
    make(list, 'dd', '', text);
  }

  const timeText = (us) => (us < 1000 ? us.toFixed(2) + ' µs' : (us / 1000).toFixed(2) + ' ms');

  const modelOf = (x) => (x.of_b ? data.other : data).recording.models[x.model];

  function addTexts(parent, x) {
    const list = make(parent, 'dl', 'texts'), model = modelOf(x);
    addText(list, 'kernel', x.kernel);
    addText(list, 'source nodes', x.nodes);
    addText(list, 'operators', x.operators);
    addText(list, 'model line', x.model_line);
    addText(list, 'module', x.module);
    addText(list, 'launched at', model.wrapper.replace(/^.*\//, '') + ':' + x.wrapper_line);
    addText(list, 'runs', 'in ' + x.runs + ' of ' + model.runs +
      (x.ended < x.runs ? '; it ended in ' + x.ended : ''));
    if (x.median_us)
      addText(list, 'time', timeText(x.median_us) + ', at least ' + timeText(x.least_us));
    if (x.pair && x.pair.kernel)
      addText(list, 'in B', 'launch ' + x.pair.launch + ', ' + x.pair.kernel);
  }

  function addTable(parent, arg, columns, side) {
    const box = make(parent, 'div', 'numbers'), table = make(box, 'table');
    make(table, 'caption', '', side + arg.use + ' ' + arg.name + ' ' + formText(arg));
    const names = { min: 'min', max: 'max', nan: 'NaN', pos_inf: '+Inf', neg_inf: '-Inf',
      zero: 'zero' };
    const kinds = Object.keys(names).filter((kind) => arg[kind]);
    const head = make(make(table, 'thead'), 'tr');
    for (const name of ['run', ...kinds.map((kind) => names[kind])])
      make(head, 'th', '', name).scope = 'col';
    const body = make(table, 'tbody');
    columns.forEach((column, i) => {
      const row = make(body, 'tr');
      make(row, 'th', '', runName(column)).scope = 'row';
      for (const kind of kinds)
        make(row, 'td', arg[kind][i] ? { nan: 'nan', pos_inf: 'inf' }[kind] : '',
          number(arg[kind][i]));
    });
  }

  const changes = (arg) => ['min', 'max', 'nan', 'pos_inf', 'neg_inf', 'zero'].some((kind) =>
    arg[kind] && arg[kind].some((value) => value !== arg[kind][0]));

  function open(launch) {
    const box = make(launch.element, 'div', 'opened'), x = launch.data;
    addTexts(box, x);
    const tables = make(box, 'div', 'tables');
    for (const arg of x.arguments) {
      if (arg.min && changes(arg)) addTable(tables, arg, modelOf(x).columns, two ? 'A ' : '');
      if (arg.other && arg.other.min && changes(arg.other))
        addTable(tables, arg.other, data.other.recording.models[x.pair.model].columns, 'B ');
    }
    return box;
  }

  function toggle(launch) {
    if (launch.opened) launch.opened.hidden = !launch.opened.hidden;
    else launch.opened = open(launch);
    launch.element.setAttribute('aria-expanded', String(!launch.opened.hidden));
  }

  // ---- a launch

  const outcomes = { // state, and words
    agrees: ['fine', ''], by_itself: ['bad', 'by itself'], given: ['bad', 'given'],
    changed: ['bad', 'changed'], may_follow: ['bad', 'may follow'], only_a: ['bad', 'only in A'],
    only_b: ['bad', 'only in B'], follows: ['warning', 'follows'], mended: ['mended', 'mended'],
    unknown: ['unscanned', 'not known'], absent: ['unscanned', 'not in the run'],
  };
  const outcomeOf = (x) => outcomes[x.pair ? x.pair.outcome : 'absent'];

  function stateOf(x) {
    if (two) return outcomeOf(x)[0];
    const any = (test) => x.arguments.some(test);
    if (any((arg) => arg.all.nan)) return 'bad';
    if (any((arg) => arg.all.pos_inf)) return 'warning';
    return any((arg) => !arg.all.scanned) ? 'unscanned' : 'fine';
  }

  // What is searched, by the word before the colon.
  function wordsOf(x) {
    const list = (...texts) => texts.filter(Boolean).join('\n').toLowerCase();
    const names = x.arguments.map((arg) => arg.name + '\n' + (arg.given_name || ''));
    const words = {
      kernel: list(x.kernel, x.pair && x.pair.kernel), op: list(x.operators, x.nodes),
      module: list(x.module, x.model_line), tensor: list(...names),
      dtype: list(...x.arguments.map((arg) => arg.dtype)),
    };
    words.all = [words.kernel, words.op, words.module, words.tensor].join('\n');
    return words;
  }

  function addHead(parent, launch) {
    const x = launch.data, head = make(parent, 'div', 'head');
    make(head, 'span', 'number', String(x.launch));
    make(head, 'span', 'kernel', x.kernel).title = shown(x.kernel);
    make(head, 'span', 'nodes', x.nodes || x.operators || '').title = shown(x.operators || '');
    const line = (x.model_line || '').replace(/^.*\//, '');
    make(head, 'span', 'place', [x.module, line].filter(Boolean).join(' · '));
    if (x.median_us) make(head, 'span', 'time', timeText(x.median_us));
    if (two && outcomeOf(x)[1]) make(head, 'span', 'outcome', outcomeOf(x)[1]);
    head.addEventListener('click', () => { toggle(launch); focus(launch); });
  }

  function addLaunch(launch) {
    const element = make(byId('launches'), 'li', 'launch ' + launch.state);
    launch.element = element;
    element.tabIndex = -1;
    element.setAttribute('aria-expanded', 'false');
    addHead(element, launch);
    const args = launch.data.arguments, cause = launch.data.pair && launch.data.pair.cause;
    if (cause) make(element, 'p', 'cause', cause);
    for (const doubt of (launch.data.pair && launch.data.pair.perhaps) || [])
      make(element, 'p', 'doubt', 'perhaps: ' + doubt);
    const list = make(element, 'ul', two ? 'args two' : 'args');
    const isPlain = (arg) => arg.value !== undefined && arg.agreement !== 'differs';
    for (const arg of args) if (!isPlain(arg)) addArg(list, arg);
    addScalars(element, args.filter(isPlain));
    element.hidden = launch.leftOut;
  }

  // ---- search

  function matches(launch, word) {
    const [, key, rest] = /^(kernel|op|module|tensor|dtype):(.*)$/.exec(word) || [];
    return launch.words[key || 'all'].includes(key ? rest : word);
  }

  function filter() {
    const words = byId('search').value.toLowerCase().split(/\s+/).filter(Boolean);
    const onlyBad = byId('only-bad').checked;
    let n = 0;
    for (const launch of launches) {
      launch.leftOut = (onlyBad && !isBad(launch)) || !words.every((word) => matches(launch, word));
      if (launch.element) launch.element.hidden = launch.leftOut;
      launch.square.classList.toggle('left-out', launch.leftOut);
      n += !launch.leftOut;
    }
    const all = plural(launches.length, 'launch');
    byId('count').textContent = n === launches.length ? all : n + ' of ' + all;
    byId('nothing').hidden = n > 0 || launches.length === 0;
  }

  // ---- moving

  function current() {
    const element = document.activeElement && document.activeElement.closest('.launch');
    return launches.findIndex((launch) => launch.element && launch.element === element);
  }

  function focus(launch) {
    addUpTo(launch);
    launch.element.focus({ preventScroll: true });
    launch.element.scrollIntoView({ block: 'nearest' });
  }

  // To the next launch in a direction that the test holds of.
  function move(from, step, test) {
    for (let i = from + step; i >= 0 && i < launches.length; i += step)
      if (!launches[i].leftOut && test(launches[i])) return focus(launches[i]);
    return undefined;
  }

  function show(launch) {
    if (launch.leftOut) clear();
    focus(launch);
    launch.element.scrollIntoView({ block: 'center' });
  }

  function clear() {
    byId('search').value = '';
    byId('only-bad').checked = false;
    filter();
  }

  const isAny = () => true;
  const isBad = (launch) => ['bad', 'warning', 'mended'].includes(launch.state);
  const keys = {
    '/': () => byId('search').select(),
    j: () => move(current(), 1, isAny),
    k: () => move(current() < 0 ? launches.length : current(), -1, isAny),
    n: () => move(current(), 1, isBad),
    p: () => move(current() < 0 ? launches.length : current(), -1, isBad),
    g: () => move(-1, 1, isAny),
    G: () => move(launches.length, -1, isAny),
    b: () => { byId('only-bad').checked = !byId('only-bad').checked; filter(); },
    '?': () => byId('help').showModal(),
    Escape: clear,
    Enter: () => { if (current() >= 0) toggle(launches[current()]); },
  };

  function pressedInSearch(event) {
    if (event.key === 'Enter') move(-1, 1, isAny);
    else if (event.key === 'Escape') { clear(); byId('search').blur(); } else return;
    event.preventDefault();
  }

  function pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || byId('help').open) return;
    if (event.target === byId('search')) return pressedInSearch(event);
    if (event.target.closest('button, input') && (event.key === 'Enter' || event.key === ' '))
      return;
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  }

  // ---- the page

  function addVerdict(line) {
    const item = make(byId('verdict'), 'li', line.kind, line.text);
    const launch = launches.find((x) => x.data.launch === line.launch &&
      x.data.kernel === line.kernel);
    if (!launch) return;
    const button = make(item, 'button', '', 'show');
    button.type = 'button';
    button.addEventListener('click', () => show(launch));
  }

  function addSquare(launch) {
    const square = launch.square = make(byId('map'), 'button', launch.state);
    square.type = 'button';
    square.tabIndex = -1;
    square.title = shown(launch.data.launch + ' ' + launch.data.kernel);
    square.setAttribute('aria-label', square.title);
    square.addEventListener('click', () => show(launch));
  }

  function addOrigin(name, r) {
    const began = new Date(r.began_us / 1000);
    const parts = [name + r.path, plural(r.runs, 'run'), 'process ' + r.process + ' on ' + r.host];
    if (r.rank !== undefined) parts.push('rank ' + r.rank);
    if (!Number.isNaN(began.getTime()))
      parts.push(began.toISOString().replace('T', ' ').slice(0, 19) + ' UTC');
    make(byId('origin'), 'div', '', parts.join(' · '));
  }

  let added = 0; // launches that are drawn
  function addUpTo(launch) {
    while (!launch.element) addLaunch(launches[added++]);
  }

  // A slice at a time, so that the first of thousands are there at once.
  function addRest() {
    for (let i = 0; i < SLICE && added < launches.length; i++) addLaunch(launches[added++]);
    if (added < launches.length) setTimeout(addRest);
    else document.documentElement.dataset.drawn = String(added);
  }

  function addOrigins() {
    addOrigin(two ? 'A: ' : '', data.recording);
    document.title = shown('aotigen report: ' + data.recording.path);
    if (!two) return;
    addOrigin('B: ', data.other.recording);
    document.title += shown(' and ' + data.other.recording.path);
    byId('only-what').textContent = 'differs';
  }

  const ofB = two ? data.other.launches : [];
  for (const x of ofB) x.of_b = true;
  for (const x of data.launches.concat(ofB))
    launches.push({ data: x, state: stateOf(x), words: wordsOf(x), leftOut: false });
  addOrigins();
  data.verdict.forEach(addVerdict);
  launches.forEach(addSquare);
  filter();
  addRest();
  byId('search').addEventListener('input', filter);
  byId('only-bad').addEventListener('change', filter);
  byId('help-button').addEventListener('click', () => byId('help').showModal());
  document.addEventListener('keydown', pressed);
})();
