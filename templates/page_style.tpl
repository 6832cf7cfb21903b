:root {
  color-scheme: light dark;
  --back: #fbfbfa; --raised: #f1f1ee; --line: #dcdcd6; --text: #1c1f22; --dim: #646c74;
  --plot: #3a6ea5; --fill: #a9c4e0; --bad: #c0232c; --warn: #a86a00; --good: #1d7a43;
  --bad-back: #fbe3e3; --warn-back: #f8edd6; --good-back: #e0f1e6; --focus: #2f6fd0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #14171a; --raised: #1d2126; --line: #2d333a; --text: #d5dae0; --dim: #8d97a2;
    --plot: #79b0ea; --fill: #2c4c6e; --bad: #ff7b79; --warn: #e5b04c; --good: #6cc98d;
    --bad-back: #3a1c1f; --warn-back: #362a14; --good-back: #17301f; --focus: #6aa6ff;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 90rem; padding: 1rem 1.25rem 4rem; background: var(--back);
  color: var(--text); font: 14px/1.45 system-ui, sans-serif; font-variant-numeric: tabular-nums;
}
[hidden] { display: none !important; }
ul, ol, dl, p, h2 { margin: 0; padding: 0; list-style: none; }
code, kbd, .kernel, .name, .form, td, .scalars { font-family: ui-monospace, monospace; }
code, kbd, .name, .form, td, .scalars { font-size: 12.5px; }
.name, .kernel, .texts dd, .form, .scalars, #verdict, #origin { unicode-bidi: isolate; }
#origin { color: var(--dim); }

#verdict { margin: .5rem 0 1rem; display: grid; gap: .35rem; }
#verdict li {
  padding: .45rem .75rem; border-left: 4px solid var(--line); background: var(--raised);
  overflow-wrap: anywhere;
}
#verdict .note { padding-block: .05rem; background: none; color: var(--dim); }
#verdict .bad { border-color: var(--bad); background: var(--bad-back); }
#verdict .warning { border-color: var(--warn); background: var(--warn-back); }
#verdict .good { border-color: var(--good); background: var(--good-back); }
#verdict .bad, #verdict .good { font-size: 17px; font-weight: 600; }
#verdict button { margin-left: .75rem; }
button {
  font: inherit; font-size: 13px; font-weight: 400; color: inherit; background: var(--back);
  border: 1px solid var(--line); border-radius: 4px; padding: .05rem .6rem; cursor: pointer;
}
:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }

#map { display: flex; flex-wrap: wrap; gap: 2px; }
#map button {
  width: 9px; height: 14px; padding: 0; border: 0; border-radius: 1px; background: var(--fill);
}
#map .unscanned { background: var(--line); }
#map .warning { background: var(--warn); }
#map .bad { background: var(--bad); }
#map .mended { background: var(--good); }
#map .left-out { opacity: .25; }

#tools {
  position: sticky; top: 0; z-index: 1; display: flex; gap: 1rem; align-items: center;
  padding: .6rem 0; background: var(--back); border-bottom: 1px solid var(--line);
}
#search {
  flex: 1; min-width: 8rem; max-width: 34rem; font: inherit; color: inherit;
  background: var(--raised); border: 1px solid var(--line); border-radius: 4px;
  padding: .3rem .6rem;
}
#tools label { white-space: nowrap; }
#count { color: var(--dim); white-space: nowrap; }
#help-button { margin-left: auto; }
#nothing { padding: 2rem 0; color: var(--dim); }

.launch {
  border-bottom: 1px solid var(--line); border-left: 3px solid transparent;
  padding: .55rem .25rem .6rem .5rem; scroll-margin: 4rem 0 2rem; content-visibility: auto;
  contain-intrinsic-size: auto 110px;
}
.launch.bad { border-left-color: var(--bad); }
.launch.warning { border-left-color: var(--warn); }
.launch:focus { outline: none; background: var(--raised); border-left-color: var(--focus); }
.head { display: flex; gap: .75rem; align-items: baseline; cursor: pointer; }
.number { flex: 0 0 2.6rem; text-align: right; color: var(--dim); }
.kernel {
  font-weight: 600; flex: 0 1 auto; min-width: 6rem; overflow: hidden; text-overflow: ellipsis;
  white-space: nowrap;
}
.nodes {
  flex: 1 1 6rem; min-width: 3rem; color: var(--dim); overflow: hidden; text-overflow: ellipsis;
  white-space: nowrap;
}
.place { flex: 0 0 auto; color: var(--dim); text-align: right; }
.time { flex: 0 0 auto; color: var(--dim); font-variant-numeric: tabular-nums; }
.args, .scalars, .opened { margin-left: 3.35rem; }
.scalars { color: var(--dim); overflow-wrap: anywhere; }
.arg {
  display: grid; column-gap: .75rem; align-items: center; min-height: 22px;
  grid-template-columns: 3rem minmax(6rem, 17rem) minmax(7rem, 13rem) 124px minmax(9rem, 1fr) auto;
}
.arg .given { margin-left: .5em; }
.two .arg {
  grid-template-columns:
    3rem minmax(5rem, 13rem) minmax(5rem, 11rem) .6rem 124px minmax(6rem, 1fr) .6rem 124px
    minmax(6rem, 1fr) 4.5rem;
}
.side { color: var(--dim); }
.range span { margin-left: .6em; }
.agreement { text-align: right; color: var(--dim); }
.agreement.differs, .launch.bad .outcome, .launch.bad .cause { color: var(--bad); }
.launch.warning .outcome { color: var(--warn); }
.launch.mended .outcome { color: var(--good); }
.launch.mended { border-left-color: var(--good); }
.outcome { flex: 0 0 auto; color: var(--dim); font-weight: 600; }
.cause, .doubt { margin-left: 3.35rem; font-weight: 600; }
.doubt { font-weight: 400; color: var(--warn); }
.use { color: var(--dim); }
.wrote .use { color: var(--text); }
.name, .form { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.form, .given { color: var(--dim); }
.counts { text-align: right; white-space: nowrap; color: var(--dim); }
.counts span { margin-left: .75rem; }
.nan { color: var(--bad); font-weight: 600; }
.inf { color: var(--warn); font-weight: 600; }

.plot { display: block; width: 124px; height: 20px; background: var(--raised); }
.plot .band { fill: var(--fill); stroke: var(--plot); stroke-width: 1; }
.plot .zero-line { stroke: var(--dim); stroke-width: .5; stroke-dasharray: 2 2; }
.plot .mark-nan { fill: var(--bad); }
.plot .mark-inf { fill: var(--warn); }

.texts { display: grid; grid-template-columns: 8rem 1fr; margin: .5rem 0; }
.texts dt { color: var(--dim); }
.texts dd { margin: 0; overflow-wrap: anywhere; }
.tables { display: flex; flex-wrap: wrap; gap: 1rem 2rem; }
.numbers { max-height: 22rem; overflow: auto; }
table { border-collapse: collapse; }
caption { text-align: left; padding: .25rem 0; overflow-wrap: anywhere; }
th, td { text-align: right; padding: .1rem .6rem; border-bottom: 1px solid var(--line); }
th { font-weight: 400; color: var(--dim); }
thead th { position: sticky; top: 0; background: var(--back); }

dialog {
  max-width: 36rem; color: var(--text); background: var(--back);
  border: 1px solid var(--line); border-radius: 6px; padding: 1.25rem 1.5rem;
}
dialog::backdrop { background: rgb(0 0 0 / 45%); }
dialog h2 { font-size: 15px; margin: 1rem 0 .4rem; }
dialog h2:first-child { margin-top: 0; }
dialog dl { display: grid; grid-template-columns: 5rem 1fr; gap: .2rem .5rem; }
dialog dd { margin: 0; }
dialog form { margin-top: 1rem; text-align: right; }
kbd { border: 1px solid var(--line); border-radius: 3px; padding: 0 .3rem; }

@media screen and (max-width: 60rem) {
  .arg, .two .arg { grid-template-columns: 3rem minmax(124px, 1fr) 1fr; }
  .arg .plot { grid-column: 2; }
  .arg .range { grid-column: 3; }
  .arg .counts, .arg .agreement { grid-column: 2 / 4; text-align: left; }
  .arg .counts span:first-child { margin-left: 0; }
  .args, .scalars, .opened, .cause, .doubt { margin-left: 0; }
  .head { flex-wrap: wrap; row-gap: 0; }
  .nodes { flex-basis: 100%; order: 1; }
}
@media print {
  :root {
    --back: #fff; --raised: #fff; --line: #bbb; --text: #000; --dim: #444; --plot: #234;
    --fill: #ccd; --bad: #a00; --warn: #850; --good: #050; --bad-back: #fff; --warn-back: #fff;
    --good-back: #fff;
  }
  #tools, #map, #verdict button { display: none; }
  body { max-width: none; padding: 0; font-size: 10px; }
  .launch { break-inside: avoid; content-visibility: visible; }
  .arg { grid-template-columns: 2.5rem 1.5fr 1.2fr 124px 1.2fr 9rem; }
  .two .arg {
    grid-template-columns: 2.5rem 1.3fr 1fr .6rem 80px 1fr .6rem 80px 1fr 3.5rem;
    column-gap: .4rem;
  }
  .two .plot { width: 80px; }
  .args, .scalars, .opened, .cause, .doubt { margin-left: 1rem; }
  .number { flex-basis: 1.5rem; }
  code, kbd, .name, .form, td, .scalars { font-size: 9px; }
  .kernel, .nodes, .name, .form { white-space: normal; overflow-wrap: anywhere; }
  .plot, #verdict li { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .numbers { max-height: none; }
}
