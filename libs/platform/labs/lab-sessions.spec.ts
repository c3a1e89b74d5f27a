import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ClusterRow } from '@terrarium/store';
import type { Caller } from '../identity/principal.js';
import { platformDatabase } from '../testing.js';
import type { NewAct } from './acts.js';
import type { CheckReport } from './check-reports.js';
import { LAB_LABEL, LEARNER_LABEL } from './lab-rows.js';
import { LabSessions } from './lab-sessions.js';
import type { CheckState } from './run/steps.js';

const CALLER = {} as Caller;
const check = (name: string, phase: string): CheckState => ({ name, phase, score: 0, points: 1, message: `${name}!` });
const source = {
  apiVersion: 'terrarium.dev/v1alpha1',
  kind: 'Lab',
  metadata: { name: 'shop' },
  spec: {
    title: 'A shop',
    cluster: { controlPlane: 'cp' },
    checks: [{ name: 'scaled', spec: { now: 'true' } }],
    steps: [
      { name: 'look', title: 'Look', background: 'prepare', foreground: 'clear' },
      { name: 'make', title: 'Make', verify: 'look-for-it' },
      { name: 'scale', title: 'Scale', checks: ['scaled'] },
    ],
  },
};

let platform: Awaited<ReturnType<typeof platformDatabase>>;
let row: ClusterRow;
let ran: string[];
let recorded: NewAct[];
let code: number;
let checks: CheckState[];
let sessions: LabSessions;

beforeAll(async () => void (platform = await platformDatabase()), 60_000);
afterAll(() => platform.close());
beforeEach(async () => {
  const { database } = platform;
  await database.tenant.deleteMany();
  const { id: tenantId } = await database.tenant.create({ data: { name: 'school' } });
  await database.lab.create({ data: { tenantId, name: 'shop', source, clusterId: 'p', clusterRevision: 7 } });
  row = {
    id: 'c',
    tenantId,
    head: 9,
    labels: { [LAB_LABEL]: 'shop', [LEARNER_LABEL]: 'ada' },
  } as unknown as ClusterRow;
  [ran, recorded, code, checks] = [[], [], 0, [check('scaled', 'Pending')]];
  const report = async (): Promise<CheckReport> => ({ score: 0, points: 1, checks, lastCommand: '' });
  const isEntered = (step: string): boolean => recorded.some((act) => act.kind === 'enter' && act.step === step);
  const done = (): Set<string> => new Set(recorded.flatMap((act) => (act.done ? [act.step!] : [])));
  sessions = new LabSessions({
    database,
    clusters: { findRow: async () => row },
    acts: {
      record: async (_id, act) => void recorded.push(act),
      hasEntered: async (_tenant, _id, step) => isEntered(step),
      doneSteps: async () => new Map([['c', done()]]),
    },
    reports: { of: report, read: report, expire: () => undefined },
    shell: {
      run: async (_id, place, script) => {
        ran.push(`${JSON.stringify(place)} ${script}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        return { code, output: code === 0 ? '' : 'it is broken\n' };
      },
    },
  });
});

describe('a step that begins', () => {
  test('runs its script once, however often it is begun', async () => {
    expect(await sessions.enter(CALLER, 'c', 'look')).toEqual({ step: 'look', message: '', foreground: 'clear' });
    expect(await sessions.enter(CALLER, 'c', 'look')).toEqual({ step: 'look', message: '', foreground: 'clear' });
    expect(ran).toEqual(['{"node":"cp"} prepare']);
  });

  test('runs it once for two who come at the same time', async () => {
    await Promise.all([sessions.enter(CALLER, 'c', 'look'), sessions.enter(CALLER, 'c', 'look')]);
    expect(ran).toHaveLength(1);
  });

  test('goes on though its script fails, and says how', async () => {
    code = 3;
    const { message } = await sessions.enter(CALLER, 'c', 'look');
    expect(message).toBe('exit code 3: it is broken');
    expect(recorded).toEqual([{ kind: 'enter', step: 'look', text: 'exit code 3: it is broken' }]);
  });

  test('has to be one of the lab', async () =>
    expect(sessions.enter(CALLER, 'c', 'nope')).rejects.toMatchObject({
      status: 404,
      message: 'the lab "shop" has no step "nope"',
    }));
});

test.each<[string, string, number, string, boolean, string]>([
  ['whose script succeeds', 'make', 0, 'Pending', true, ''],
  ['whose script fails', 'make', 1, 'Pending', false, 'it is broken'],
  ['whose check has passed', 'scale', 0, 'Passed', true, ''],
  ['whose check has not', 'scale', 0, 'Pending', false, 'scaled!'],
  ['that asks for nothing', 'look', 0, 'Pending', false, ''],
])('a step %s', async (_, step, exitCode, phase, done, message) => {
  [code, checks] = [exitCode, [check('scaled', phase)]];
  expect(await sessions.verify(CALLER, 'c', step)).toMatchObject({ step, done, message });
  expect(recorded).toEqual([{ kind: 'verify', step, text: message, done }]);
});

test('the learner’s view has what was done, and no solution', async () => {
  await sessions.verify(CALLER, 'c', 'make');
  const view = await sessions.view(CALLER, 'c');
  expect(view).toMatchObject({ name: 'shop', learner: 'ada', node: 'cp', step: 3 });
  expect(view.steps.map(({ name, done, canVerify }) => [name, done, canVerify])).toEqual([
    ['look', true, false],
    ['make', true, true],
    ['scale', false, true],
  ]);
});

test('a cluster that is no learner’s has none', async () => {
  row = { ...row, labels: {} };
  await expect(sessions.view(CALLER, 'c')).rejects.toMatchObject({ status: 404 });
});
