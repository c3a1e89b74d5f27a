import fs from 'node:fs';
import { parse } from 'yaml';
import { openConsole } from '../service/browser.mjs';
import { firstLoad } from '../service/first-load.mjs';
import { Client, nodes } from '../service/http.mjs';

const TARGET_MS = 1_000;
const TARGET_KB = 350;
const TURNS = Number(process.env.BENCH_TURNS ?? 3);
const SETTLE_MS = 4_000;
const CONTAINER = { name: 'c', image: 'busybox', command: ['sh', '-c', 'echo a line; sleep 100000'] };
const POD = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'runs' }, spec: { containers: [CONTAINER] } };
const LAB = `
apiVersion: terrarium.dev/v1alpha1
kind: Lab
metadata: {name: colours}
spec:
  title: Colours
  cluster: {nodes: 1, speed: instant}
  ready: {settle: 0s}
  checks:
    - {name: kept, spec: {now: "configmaps.exists(c, c.metadata.name == 'blue')"}}
  steps:
    - {title: Blue, text: Make it **blue**., checks: [kept]}
`;
/** What stands in the link, and a selector of what its reader came for. */
const LINKS = [
  ['the link that npm start prints', '/#sign-in=LINK', 'table tbody tr'],
  ['who is not signed in', '/', 'input[type=password]'],
  ['clusters', '/', 'table tbody tr'],
  ['labs', '/labs', 'table tbody tr'],
  ["a teacher's wall", '/labs/colours', '.wall > li'],
  ['overview', '/c/ID/overview', '.page h1'],
  ['objects', '/c/ID/objects/pods?ns=default', '[role=gridcell]'],
  ['an object', '/c/ID/objects/pods/default/runs', '.details h1'],
  ["an object's YAML", '/c/ID/objects/pods/default/runs?tab=yaml', '.cm-line'],
  ["a workload's revisions", '/c/ID/objects/daemonsets.apps/kube-system/kube-proxy?tab=revisions', '.revisions li'],
  ["an object's history", '/c/ID/objects/pods/default/runs?tab=history', '.timeline li'],
  ['logs', '/c/ID/logs?pods=default/runs', '.log-line'],
  ['a terminal', '/c/ID/terminal?open=default/runs/c', '.xterm-rows'],
  ['picture', '/c/ID/picture', 'canvas'],
  ['lanes', '/c/ID/lanes', '.lanes-step'],
  ["a pod's start", '/c/ID/start/default/runs', 'svg.sequence'],
  ['compare', '/c/ID/compare?from=-1m', '.page h1'],
  ["a learner's lab", '/c/LAB/lab', '.lab-step'],
  ["a learner's session", '/c/LAB/session', '.session-view h1'],
  ['an embedded view', '/embed/picture?cluster=ID#token=TOKEN', 'canvas'],
];

export const title = 'first loads of the console in Chromium';

/** A browser that is signed in, with a cluster, a pod that runs, and a lab that somebody does. */
async function prepare(service, client) {
  const { page, base, close } = await openConsole(client, service);
  const { id } = await client.cluster({ nodes: nodes(2), speed: 'instant' });
  await client.json('POST', `/clusters/${id}/api/v1/namespaces/default/pods`, POD);
  await client.json('PUT', '/v1/labs/colours', parse(LAB));
  const { items } = await client.json('POST', '/v1/labs/colours/learners', { names: ['ada'] });
  const { token } = await client.json('POST', `/v1/clusters/${id}/tokens`, { scope: 'read' });
  await page.waitForTimeout(SETTLE_MS);
  const cookies = await page.context().cookies();
  const fill = async (path) => {
    const { link } = path.includes('LINK') ? await client.json('POST', '/v1/session/links') : { link: '' };
    const replaced = path.replace('LINK', link).replace('ID', id).replace('TOKEN', token);
    return base + replaced.replace('LAB', items[0].clusterId);
  };
  return { browser: page.context().browser(), cookies, fill, close };
}

/** The one in the middle of several: the machine has its moments. */
async function middleLoad(browser, cookies, urlOf, isReady) {
  const loads = [];
  for (let turn = 0; turn < TURNS; turn++) loads.push(await firstLoad(browser, cookies, await urlOf(), isReady));
  return loads.sort((a, b) => a.ms - b.ms)[Math.floor(TURNS / 2)];
}

/** BENCH_LINKS: names of those to load, BENCH_TRACE: a file for what each load did. */
export async function run(service) {
  const client = new Client(service, 2);
  const { browser, cookies, fill, close } = await prepare(service, client);
  const rows = [];
  const trace = {};
  const only = process.env.BENCH_LINKS?.split(',');
  try {
    for (const [name, path, isReady] of LINKS) {
      if (only && !only.includes(name)) continue;
      const row = `${name}: first load`;
      try {
        const load = await middleLoad(
          browser,
          path.includes('#') || name.startsWith('who') ? [] : cookies,
          () => fill(path),
          isReady,
        );
        trace[name] = load;
        rows.push(
          { row, value: load.ms, unit: 'ms', target: TARGET_MS, better: 'less' },
          {
            row: `${name}: over the network`,
            value: load.bytes / 1_024,
            unit: 'KB',
            target: TARGET_KB,
            better: 'less',
          },
        );
      } catch (error) {
        rows.push({ row, error: error.message.split('\n')[0] });
      }
    }
    if (process.env.BENCH_TRACE) fs.writeFileSync(process.env.BENCH_TRACE, JSON.stringify(trace, null, 1));
  } finally {
    await close();
    client.close();
  }
  return rows;
}
