import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { catalog } from '@terrarium/containers';
import { Cluster, defaultWorkers, makeTemplate, shiftCheckpoint } from '@terrarium/engine';
import { KubeServer } from './kube-server.js';
import { kubectlFolder } from './kubectl.js';
import { RecordedCluster, START } from './replay/recorder.js';
import { withoutCutWatches } from './transcript.js';

const folder = path.join(process.cwd(), 'libs/testkit/manifests');
const TIMEOUT = 60_000;
const MINUTE = 60_000;
const options = { workers: defaultWorkers(), speed: 'realistic' } as const;
const template = makeTemplate(options, catalog);
/** `RECORD=1` records what kubectl sends, for libs/testkit/replay. */
const RECORD = process.env['RECORD'] === '1';

function newCluster(seed: string): { cluster: Cluster; now: number } {
  if (RECORD) return { cluster: RecordedCluster.start(seed, options), now: START };
  const now = Math.floor(Date.now() / 1000) * 1000;
  const cluster = new Cluster({ seed, images: catalog, strict: true });
  cluster.load(shiftCheckpoint(template, now - template.now));
  return { cluster, now };
}

/**
 * What a manifest's first comments say: `# ready: <resource> <condition>` is waited for; `# again: <line>` is what a
 * second apply says instead of unchanged, as on a real cluster; `# stays: <kinds>` outlive the delete; `# needs:
 * <file>` comes first.
 */
function notes(text: string, name: string): string[] {
  return [...text.matchAll(new RegExp(`^# ${name}: (.*)$`, 'gm'))].map((m) => m[1]!);
}

describe.each(fs.readdirSync(folder))('%s', (file) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'terrarium-manifest-'));
  const config = path.join(home, 'config');
  const text = fs.readFileSync(path.join(folder, file), 'utf8');
  let server: KubeServer;
  let before: Set<string>;

  const kubectl = (...args: string[]): Promise<string> =>
    new Promise((resolve) => {
      const env = { HOME: home, KUBECONFIG: config, PATH: process.env['PATH'] };
      execFile(path.join(kubectlFolder(), 'kubectl'), args, { env, timeout: TIMEOUT }, (_error, out, problems) =>
        resolve(withoutCutWatches(out + problems)),
      );
    });
  const lines = async (...args: string[]): Promise<string[]> => (await kubectl(...args)).trimEnd().split('\n');
  const objects = (): string[] =>
    [...server.cluster.state.objects()]
      .filter(({ resource }) => resource !== 'events')
      .map(({ object: { kind, metadata } }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`);

  beforeAll(async () => {
    const { cluster, now } = newCluster(file);
    server = await KubeServer.start(cluster, now);
    fs.writeFileSync(
      config,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'c',
        clusters: [{ name: 'c', cluster: { server: server.url } }],
        contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
        users: [{ name: 'u', user: { token: 't' } }],
      }),
    );
    for (const needed of notes(text, 'needs')) await kubectl('apply', '-f', path.join(folder, needed));
    before = new Set(objects());
  });
  afterAll(async () => {
    await server.stop();
    if (server.cluster instanceof RecordedCluster) server.cluster.save(`manifest-${path.parse(file).name}`);
    fs.rmSync(home, { recursive: true });
  });

  test(
    'is accepted',
    async () => {
      for (const line of await lines('apply', '-f', path.join(folder, file))) expect(line).toMatch(/ created$/);
    },
    TIMEOUT,
  );

  for (const note of notes(text, 'ready')) {
    test(
      `becomes ready: ${note}`,
      async () => {
        const words = note.split(' ');
        const condition = words.findIndex((w) => /^(condition|jsonpath)=/.test(w));
        const output = await kubectl(
          'wait',
          `--for=${words[condition]}`,
          '--timeout=50s',
          ...words.slice(0, condition),
          ...words.slice(condition + 1),
        );
        for (const line of output.trimEnd().split('\n')) expect(line).toMatch(/ condition met$/);
      },
      TIMEOUT,
    );
  }

  test(
    'is the same when applied again',
    async () => {
      const different = (await lines('apply', '-f', path.join(folder, file))).filter((l) => !l.endsWith(' unchanged'));
      expect(different).toEqual(notes(text, 'again'));
    },
    TIMEOUT,
  );

  test(
    'leaves nothing when it is deleted',
    async () => {
      for (const line of await lines('delete', '-f', path.join(folder, file)))
        expect(line).toMatch(/ deleted( from .* namespace)?$/);
      server.wait(2 * MINUTE);
      const stays = notes(text, 'stays').flatMap((n) => n.split(' '));
      expect(objects().filter((o) => !before.has(o) && !stays.includes(o.split(' ')[0]!))).toEqual([]);
    },
    TIMEOUT,
  );
});
