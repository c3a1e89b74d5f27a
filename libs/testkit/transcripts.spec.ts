import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { catalog } from '@terrarium/containers';
import { Cluster, defaultWorkers, makeTemplate, shiftCheckpoint } from '@terrarium/engine';
import { KubeServer } from './kube-server.js';
import { kubectlFolder } from './kubectl.js';
import { ON_SCRIPT, PREFIX } from './node-entrance.js';
import { RecordedCluster } from './replay/recorder.js';
import { matches, normalize, parseDuration, parseTranscript, run } from './transcript.js';

const folder = path.join(process.cwd(), 'libs/testkit/transcripts');
const COMMAND_TIMEOUT = 30_000;
/** Real ms in which the end of a command's connection comes: what its session has written is stored with that. */
const SETTLING = 30;
const MINUTE = 60_000;

/** With UPDATE_TRANSCRIPTS=1 prints what came instead of failing, for writing a new transcript. */
const show = process.env['UPDATE_TRANSCRIPTS'] === '1';

const options = { workers: defaultWorkers(), speed: 'realistic' } as const;
const template = makeTemplate(options, catalog);
/** Transcripts of clusters with addresses of both families. */
const DUAL_STACK = /^dual-stack/;
const dualStack = { ...options, names: { dualStack: true } } as const;
/** `RECORD=1` records what the transcripts send, for libs/testkit/replay. */
const RECORD = process.env['RECORD'] === '1';

function newCluster(file: string): { cluster: Cluster; now: number } {
  const isDual = DUAL_STACK.test(file);
  const base = isDual ? makeTemplate(dualStack, catalog) : template;
  // kubectl writes real times, of the approval of a certificate: the cluster's own must agree with them to a minute.
  // Each begins at the same second of a minute, so that a CronJob's next run is never due while one looks.
  const now = Math.floor(Date.now() / MINUTE) * MINUTE + MINUTE / 6;
  if (RECORD)
    return { cluster: RecordedCluster.start('transcript', isDual ? dualStack : options, 'transcript', now), now };
  const cluster = new Cluster({ seed: 'transcript', images: catalog, strict: true, tokenKey: 'transcript' });
  cluster.load(shiftCheckpoint(base, now - base.now));
  return { cluster, now };
}

describe.each(fs.readdirSync(folder).filter((f) => f.endsWith('.transcript')))('%s', (file) => {
  let server: KubeServer;
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'terrarium-transcript-'));
  fs.mkdirSync(path.join(home, 'bin'));
  const searched = [kubectlFolder(), path.join(home, 'bin'), process.env['PATH']];
  const env = { HOME: home, KUBECONFIG: path.join(home, 'config'), PATH: searched.join(':') };

  beforeAll(async () => {
    const { cluster, now } = newCluster(file);
    server = await KubeServer.start(cluster, now);
    const trusted = { 'certificate-authority-data': Buffer.from(server.authority).toString('base64') };
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'c',
      clusters: [
        { name: 'c', cluster: { server: server.secureUrl, ...trusted } },
        { name: 'nodes', cluster: { server: server.secureUrl + PREFIX, ...trusted } },
      ],
      contexts: [
        { name: 'c', context: { cluster: 'c', user: 'u' } },
        { name: 'nodes', context: { cluster: 'nodes', user: 'u' } },
      ],
      users: [{ name: 'u', user: { token: 't' } }],
    };
    fs.writeFileSync(env.KUBECONFIG, JSON.stringify(config));
    fs.writeFileSync(path.join(home, 'bin/on'), ON_SCRIPT, { mode: 0o755 });
  });
  afterAll(async () => {
    await server.stop();
    if (server.cluster instanceof RecordedCluster) server.cluster.save(`transcript-${path.parse(file).name}`);
    fs.rmSync(home, { recursive: true });
  });

  const text = fs.readFileSync(path.join(folder, file), 'utf8');
  for (const step of parseTranscript(text)) {
    test(
      `${step.line}: ${step.command.split('\n')[0]}`,
      async () => {
        const wait = /^wait (\S+)$/.exec(step.command)?.[1];
        if (wait) {
          await sleep(SETTLING);
          return server.wait(parseDuration(wait));
        }
        const outputs = await run(step.command, { cwd: home, env, timeoutMs: COMMAND_TIMEOUT });
        if (outputs.some((output) => matches(output, step.expected))) return;
        const output = outputs[0]!;
        if (show) console.log(`$ ${step.command}\n${normalize(output)}`);
        expect(normalize(output)).toBe(`${step.expected}\n`);
      },
      COMMAND_TIMEOUT + 5_000,
    );
  }
});
