import type { Chart } from '../chart/chart.js';
import { bytesOf } from '../../../../engine/kernel/bytes.js';
import { parseYaml } from '../../../../engine/schema/index.js';
import { clientCapabilities } from '../release/prepare.js';
import { renderChart } from './render.js';

const VALUES = `
n: 3
zero: 0
big: 1000000
f: 1.5
s: str
t: "T{{ .Values.s }}"
bool: true
list: [a, b, 2]
map: {a: 1, b: {c: d}, l: [1, {x: "y"}]}
emptymap: {}
emptylist: []
huge: 123456789012345678
nul: null
deep:
  z: "true"
  a: "yes"
  m: ["1", 1, "a: b", "- x", "#c", "", " lead", "tr ", null, 1e3, "null", "~", "0x1", "1.0", "1e3", "=", "@a", "*a",
    "&b", "!c", "{d", "a#b", "a #b", "x:", ":x", "multi\\nline", "tab\\t", "é", "\\u0001", "2024-01-01", "on"]
`;

/** What one template prints, for specs: of a chart with these values and two named templates. */
export function renderText(text: string): string {
  const data = {
    t: text,
    '_h.tpl': '{{ define "h" }}H{{ .Values.s }}{{ end }}{{ define "bad" }}\n{{ .Values.a.b }}{{ end }}',
  };
  const files = { 'cfg/a.txt': 'one\ntwo\n', 'cfg/b.ini': 'x=1', 'README.md': 'r' };
  const list = (of: Record<string, string>) => Object.entries(of).map(([name, one]) => ({ name, data: bytesOf(one) }));
  const chart: Chart = {
    metadata: { name: 'c', version: '0.1.0', appVersion: '1', description: 'd' },
    ...{ lock: null, values: {}, schema: null, raw: [], dependencies: [] },
    ...{ templates: list(data), files: list(files) },
  };
  let draws = 0;
  const rendered = renderChart(chart, parseYaml(VALUES).value as Record<string, unknown>, {
    release: { name: 'r', namespace: 'default', revision: 1, isInstall: true },
    capabilities: clientCapabilities(),
    machine: { clock: Date.UTC(2026, 0, 2, 3, 4, 5), random: () => (draws++ % 10) / 10 },
    lookup: () => ({}),
  });
  return rendered.get('c/t')!;
}
