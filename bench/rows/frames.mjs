import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { root } from '../../scripts/local/paths.mjs';
import { openConsole, recordFrames } from '../service/browser.mjs';
import { Client, deployment, nodes } from '../service/http.mjs';

const PODS = 20_000;
const NODES = 200;
const CHANGES_PER_S = 2_000;
const BATCH_MS = 50;
const MOVED_MS = 4_000;
const REPLICAS = 1_000;
const STUCK_MS = 60_000;
const POLL_MS = 500;
const TARGET_MS = 100;
const MODES = ['placement', 'traffic', 'ownership', 'storage'];

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const title = 'frames of the console in Chromium';

/** The made-up cluster that the picture's own specs have. */
export async function syntheticBatches() {
  const file = path.join(root, 'apps/console/src/views/picture/model/synthetic.ts');
  const { outputText } = ts.transpileModule(fs.readFileSync(file, 'utf8'), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  const module = await import(`data:text/javascript;base64,${Buffer.from(outputText).toString('base64')}`);
  return module.syntheticBatches(PODS, NODES);
}

/** 20,000 pods on the canvas, of which 2,000 a second change, while the camera moves. */
export async function syntheticFrames(page, mode) {
  await page.evaluate((to) => document.querySelector('canvas').picture.setMode(to), mode);
  await page.waitForTimeout(1_500);
  const end = await recordFrames(page);
  await page.evaluate(
    async ([ms, batchMs, perBatch]) => {
      const { picture } = document.querySelector('canvas');
      const pods = [...picture.world.all('Pod')];
      let revision = picture.world.revision;
      const started = performance.now();
      for (let turn = 0; performance.now() - started < ms; turn++) {
        const rows = Array.from({ length: perBatch }, (_, i) => {
          const { kind, namespace, name, uid, is } = pods[(turn * 7919 + i * 104_729) % pods.length];
          const status = turn % 2 ? 'Running' : 'ContainerCreating';
          revision++;
          return { kind, namespace, name, uid, revision, created: 0, by: ['system:node:a'], is: { ...is, status } };
        });
        picture.apply({ begins: false, left: 0, revision, at: 0, labels: [], rows });
        const { k, x, y } = picture.camera;
        picture.setCamera({ k, x: x + (turn % 40 < 20 ? 4 : -4), y });
        await new Promise((resolve) => setTimeout(resolve, batchMs));
      }
    },
    [MOVED_MS, BATCH_MS, (CHANGES_PER_S * BATCH_MS) / 1_000],
  );
  return end();
}

/** How far a rollout is; two that are equal are no progress. */
const progressOf = ({ status: { updatedReplicas = 0, replicas = 0, readyReplicas = 0, observedGeneration = 0 } }) =>
  [observedGeneration, updatedReplicas, replicas, readyReplicas].join('/');

/** Waits for the end of a rollout, as long as it goes on: a slow machine takes its time. */
async function untilRolledOut(client, path) {
  let [last, since] = ['', performance.now()];
  for (;;) {
    const object = await client.json('GET', path);
    const progress = progressOf(object);
    if (progress === `${object.metadata.generation}/${REPLICAS}/${REPLICAS}/${REPLICAS}`) return;
    if (progress !== last) [last, since] = [progress, performance.now()];
    else if (performance.now() - since > STUCK_MS)
      throw new Error(`the rollout does not go on: ${progress} for ${STUCK_MS / 1_000} s`);
    await sleep(POLL_MS);
  }
}

export async function rollOut(client, id, page, image) {
  const path = `/clusters/${id}/apis/apps/v1/namespaces/default/deployments/web`;
  const end = await recordFrames(page);
  if (image) {
    const { spec } = await client.json('GET', path);
    spec.template.spec.containers[0].image = image;
    await client.json('PUT', path, { ...deployment(REPLICAS), spec });
  }
  await untilRolledOut(client, path);
  await page.waitForTimeout(1_000);
  return end();
}

export async function run(service) {
  const client = new Client(service, 2);
  const { page, base, close } = await openConsole(client, service);
  const rows = [];
  const tell = (name, { median, worst, own }) =>
    rows.push(
      { row: `${name}: a frame, median`, value: median, unit: 'ms', better: 'less' },
      { row: `${name}: the longest frame`, value: worst, unit: 'ms', target: TARGET_MS, better: 'less' },
      {
        row: `${name}: the page's own longest task, CPU`,
        value: own,
        unit: 'ms',
        target: TARGET_MS / 2,
        better: 'less',
      },
    );
  try {
    const empty = await client.cluster({ nodes: nodes(1), speed: 'instant' });
    await page.goto(`${base}/c/${empty.id}/picture`);
    await page.waitForFunction(() => document.querySelector('canvas')?.picture?.world.left === 0);
    const batches = JSON.stringify(await syntheticBatches());
    await page.evaluate((text) => {
      for (const batch of JSON.parse(text)) document.querySelector('canvas').picture.apply(batch);
    }, batches);
    for (const mode of MODES) tell(`20,000 pods in ${mode}, 2,000 changes/s`, await syntheticFrames(page, mode));
    const { id } = await client.cluster({ nodes: nodes(20), speed: 'instant' });
    await client.json('POST', `/clusters/${id}/apis/apps/v1/namespaces/default/deployments`, deployment(REPLICAS));
    await page.goto(`${base}/c/${id}/picture`);
    await rollOut(client, id, page);
    // The catalog has nginx up to 1.29; the Deployment begins with 1.27.
    let version = 24;
    for (const view of ['picture', 'picture?mode=ownership', 'objects/pods']) {
      await page.goto(`${base}/c/${id}/${view}`);
      await page.waitForTimeout(2_000);
      const name = `a Deployment of 1,000 rolls out, ${view} is looked at`;
      const image = `nginx:1.${version++}`;
      await rollOut(client, id, page, image).then(
        (frames) => tell(name, frames),
        (error) => rows.push({ row: name, error: error.message }),
      );
    }
  } finally {
    await close();
    client.close();
  }
  return rows;
}
