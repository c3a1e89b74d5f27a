import fs from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

/** What an image or a container is told to run or to copy must be in the repository, or come out of a build of it. */
const BUILT = ['dist', 'node_modules'];
const OURS = ['prepare', 'api', 'worker'];
/** Settings that are as they are in a container, and the keys that `prepare` is given by hand. */
const FIXED = ['API_KEY', 'HOST', 'KNOWN_OPERATOR_KEY', 'PORT'];

interface Service {
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test?: readonly string[] };
}

const compose = parse(fs.readFileSync('docker/compose.yaml', 'utf8'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};
const dockerfile = fs.readFileSync('docker/Dockerfile', 'utf8');
const read = (file: string): string => fs.readFileSync(file, 'utf8');
/** Variables that the programs read. */
const known = new Set(
  [
    ...read('libs/platform/settings.ts').matchAll(/^ {2}([A-Z][A-Z_]+): \w/gm),
    ...read('apps/api/prepare.ts').matchAll(/env\['([A-Z_]+)'\]/g),
  ].map((m) => m[1]!),
);

/** dist/apps/api/main.js is made of apps/api/main.ts. */
const sourceOf = (file: string): string => file.replace(/^dist\/(.*)\.js$/, '$1.ts');
const programs = (text: string): string[] => text.match(/(?:dist|scripts)\/[\w/.-]+\.m?js/g) ?? [];

describe('docker/compose.yaml', () => {
  test.each(Object.entries(compose.services))('%s runs what there is, and waits for what there is', (name, service) => {
    expect(OURS.includes(name)).toBe(service.build !== undefined);
    if (service.build) expect(fs.existsSync(service.build.dockerfile)).toBe(true);
    for (const file of programs((service.command ?? []).join(' ')))
      expect([file, fs.existsSync(sourceOf(file))]).toEqual([file, true]);
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      expect(Object.keys(compose.services)).toContain(other);
      if (condition === 'service_healthy')
        expect(compose.services[other]!.healthcheck?.test?.length).toBeGreaterThan(0);
    }
  });

  test.each(OURS)('%s is told nothing that no program reads, and where its servers are', (name) => {
    const environment = compose.services[name]!.environment!;
    expect(Object.keys(environment).filter((variable) => !known.has(variable))).toEqual([]);
    expect(new URL(environment['DATABASE_URL']!.replace(/\$\{[^}]*\}/, 'x')).hostname).toBe('postgres');
    expect(new URL(environment['REDIS_URL']!).hostname).toBe('redis');
  });

  test('every setting can be given to the containers', () => {
    const { environment } = compose.services['api']!;
    expect([...known].filter((variable) => !(variable in environment!)).sort()).toEqual(FIXED);
  });

  test('nothing starts before the tables are there', () => {
    expect(programs(compose.services['prepare']!.command!.join(' '))).toEqual([
      'scripts/prisma.mjs',
      'dist/apps/api/prepare.js',
    ]);
    for (const name of ['api', 'worker'])
      expect(compose.services[name]!.depends_on!['prepare']).toEqual({ condition: 'service_completed_successfully' });
  });
});

describe('docker/Dockerfile', () => {
  const lines = dockerfile.split('\n');

  test('copies and runs what there is', () => {
    const copied = lines
      .filter((l) => l.startsWith('COPY'))
      .flatMap((l) => l.split(/\s+/).slice(1, -1))
      .filter((w) => !w.startsWith('--'))
      .map((w) => w.replace(/^\/app\//, ''));
    expect(copied.filter((file) => !BUILT.includes(file) && !fs.existsSync(file))).toEqual([]);
    const run = programs(lines.filter((l) => l.startsWith('CMD')).join());
    expect(run.map((file) => fs.existsSync(sourceOf(file)))).toEqual([true]);
  });

  test('its programs have the flags that `npm start` gives them', () => {
    const [, list = ''] = /const NODE_FLAGS = \[([^\]]*)\]/.exec(read('scripts/local/processes.mjs')) ?? [];
    const flags = [...list.matchAll(/'([^']+)'/g)].map((m) => m[1]!);
    expect(flags.length).toBeGreaterThan(2);
    const started = JSON.parse(lines.find((l) => l.startsWith('CMD'))!.slice('CMD'.length)) as string[];
    expect(started.slice(1, -1)).toEqual(flags);
    expect(compose.services['worker']!.command!.slice(1, -1)).toEqual(flags);
  });

  test('its commands are those of package.json, and it does not run as root', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const commands = [...dockerfile.matchAll(/npm run ([\w:-]+)/g)].map((m) => m[1]!);
    expect(commands.filter((name) => !scripts[name])).toEqual([]);
    expect(lines.filter((l) => l.startsWith('USER'))).toEqual(['USER node']);
    expect(Number(/FROM node:(\d+)/.exec(dockerfile)![1])).toBeGreaterThanOrEqual(20);
  });
});
