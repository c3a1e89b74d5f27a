import fs from 'node:fs';
import { expect, test } from '@jest/globals';
import { parseYaml } from '../engine/schema/index.js';
import { errorsOf } from '../engine/kinds/testing.js';
import { kind as Checks } from '../engine/kinds/terrarium/check/kind.js';
import { ClusterBed } from './beds/cluster-bed.js';
import { Checks as Kind, Deployments, Pods, Services } from '../engine/kinds/index.js';

const page = fs.readFileSync('docs/CHECKS.md', 'utf8');

/** Expressions of the table of what may be said. */
const [, section = ''] = page.split('## What expressions may say');
const rows = [...section.matchAll(/^\| [^|]+ \| (`.*`) \|$/gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text),
);

test('the example is a check', () => {
  const [, yaml = ''] = /```yaml\n([^]*?)```/.exec(page)!;
  const check = parseYaml(yaml).value as { metadata: object; spec: object };
  expect(errorsOf(Checks, { metadata: check.metadata, spec: check.spec })).toEqual([]);
});

test('what the page says expressions may say is understood', () => {
  expect(rows.length).toBeGreaterThan(15);
  const bed = new ClusterBed();
  const labels = { app: 'web' };
  const container = { name: 'nginx', image: 'nginx:1.27' };
  const template = { metadata: { labels }, spec: { containers: [container] } };
  bed.create(Deployments, 'web', { spec: { replicas: 3, selector: { matchLabels: labels }, template } });
  bed.create(Pods, 'web', { spec: { containers: [container] } });
  bed.create(Pods, 'client', { spec: { containers: [{ name: 'c', image: 'busybox', command: ['sleep', '100000'] }] } });
  bed.create(Services, 'web', {
    spec: { type: 'NodePort', selector: labels, ports: [{ port: 80, nodePort: 30080 }] },
  });
  bed.at(5);
  const asks = (text: string): object =>
    /\b(change|request)\./.test(text)
      ? { never: text }
      : text.startsWith('parts')
        ? { parts: [{ name: 'upgraded', now: 'true' }, { now: text }] }
        : { now: text };
  for (const [i, text] of rows.entries()) bed.create(Kind, `check-${i}`, { spec: asks(text) });
  bed.at(6);
  const isAnswer = (message = ''): boolean => ['', 'it does not hold'].includes(message.replace(/^part-\d: /, ''));
  const wrong = rows
    .map((text, i) => `${text}: ${bed.get(Kind, `check-${i}`).status.message ?? ''}`)
    .filter((_, i) => !isAnswer(bed.get(Kind, `check-${i}`).status.message));
  expect(wrong).toEqual([]);
});
