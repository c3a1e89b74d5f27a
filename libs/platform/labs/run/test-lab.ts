import { stepName, type Lab, type LabStep } from '../lab-file.js';
import type { LabCluster } from './lab-cluster.js';
import { prepareLab } from './prepare.js';
import { enterStep, namesOfTests, readChecks, runSolution, verifyStep, waitUntil, type CheckState } from './steps.js';

/** One thing that a lab asks for, on one seed: it must fail before the solution, and hold after it. */
export interface TestRow {
  readonly name: string;
  before: boolean | undefined;
  after: boolean | undefined;
  /** What it says while it does not hold. */
  message: string;
}

export interface SeedResult {
  readonly seed: string;
  readonly rows: readonly TestRow[];
  /** Why the lab is not as it should be; empty when it is. */
  readonly failures: readonly string[];
  /** Virtual ms from the learner's beginning to the end of the solution. */
  readonly tookVirtual: number;
}

const PASSED = 'Passed';
const MAX_MESSAGE = 400;

/**
 * Prepares the lab, sees that nothing that it asks for holds, runs the solution step by step, and sees that everything
 * does. What ends it early is among the failures.
 */
export function testLab(lab: Lab, seed: string, now: number): SeedResult {
  const rows = new Map<string, TestRow>(
    namesOfTests(lab).map((name) => [name, { name, before: undefined, after: undefined, message: '' }]),
  );
  const failures: string[] = [];
  const begin = { now: 0, end: 0 };
  if (rows.size === 0) failures.push('the lab asks for nothing: it has neither checks nor scripts that verify');
  try {
    const cluster = prepareLab(lab, seed, now);
    begin.now = cluster.now;
    new Trial(lab, cluster, rows, failures).run();
    begin.end = cluster.now;
  } catch (error) {
    failures.push(error instanceof Error ? error.message : String(error));
  }
  return { seed, rows: [...rows.values()], failures, tookVirtual: begin.end - begin.now };
}

/** One walk through a lab. */
class Trial {
  constructor(
    private readonly lab: Lab,
    private readonly cluster: LabCluster,
    private readonly rows: Map<string, TestRow>,
    private readonly failures: string[],
  ) {}

  run(): void {
    const { spec } = this.lab;
    this.lookBefore();
    for (const [i, step] of spec.steps.entries()) this.runStep(step, stepName(step, i));
    if (spec.solution !== undefined) this.solve(spec.solution, 'the lab');
    this.lookAfter();
  }

  private lookBefore(): void {
    const { spec } = this.lab;
    for (const [i, step] of spec.steps.entries()) this.noteBefore(step, stepName(step, i));
    for (const check of readChecks(this.cluster)) {
      const row = this.rows.get(`check ${check.name}`);
      if (!row) continue;
      row.before = check.phase === PASSED;
      const holds = spec.checks.find(({ name }) => name === check.name)?.holdsBefore === true;
      if (row.before && !holds) this.failures.push(`${row.name} has passed before the solution`);
    }
  }

  private noteBefore(step: LabStep, name: string): void {
    const result = verifyStep(this.cluster, step);
    const row = this.rows.get(`verify ${name}`);
    if (!result || !row) return;
    row.before = result.code === 0;
    row.message = shorten(result.output);
    if (row.before) this.failures.push(`${row.name} has succeeded before the solution`);
  }

  private runStep(step: LabStep, name: string): void {
    const { settle, ignoreExitCodes } = this.lab.spec;
    for (const { code, output } of enterStep(this.cluster, step))
      if (code !== 0 && !ignoreExitCodes)
        this.failures.push(`${name} begins with exit code ${code}: ${shorten(output)}`);
    const early = verifyStep(this.cluster, step);
    if (early?.code === 0) this.failures.push(`verify ${name} succeeds when the step begins`);
    if (step.solution !== undefined) this.solve(step.solution, name);
    const row = this.rows.get(`verify ${name}`);
    if (!row) return;
    row.after = waitUntil(this.cluster, settle, () => {
      const result = verifyStep(this.cluster, step);
      row.message = shorten(result?.output ?? '');
      return result?.code === 0;
    });
    if (!row.after) this.failures.push(`${row.name} fails after the solution: ${row.message}`);
  }

  private solve(script: string, what: string): void {
    const { code, output } = runSolution(this.cluster, script);
    if (code !== 0) this.failures.push(`the solution of ${what} ends with exit code ${code}: ${shorten(output)}`);
  }

  private lookAfter(): void {
    const { spec } = this.lab;
    if (spec.checks.length === 0) return;
    let checks: CheckState[] = [];
    const names = new Set(spec.checks.map(({ name }) => name));
    waitUntil(this.cluster, spec.settle, () => {
      checks = readChecks(this.cluster).filter(({ name }) => names.has(name));
      return checks.length === names.size && checks.every(({ phase }) => phase === PASSED);
    });
    for (const { name, phase, message } of checks) {
      const row = this.rows.get(`check ${name}`)!;
      row.after = phase === PASSED;
      row.message = shorten(message);
      const hint = asksForTyping(spec.checks.find((check) => check.name === name)?.spec) ? NOBODY_TYPES : '';
      if (!row.after) this.failures.push(`${row.name} is ${phase} after the solution: ${row.message}${hint}`);
    }
    for (const name of names)
      if (!checks.some((check) => check.name === name)) this.failures.push(`check ${name} is not there any more`);
  }
}

const NOBODY_TYPES = " (a solution is run as a script: no request has the verb 'type')";
const asksForTyping = (spec: unknown): boolean => /verb\s*==\s*\\?['"]type/.test(JSON.stringify(spec ?? {}));

const shorten = (text: string): string => text.trim().replace(/\s+/g, ' ').slice(-MAX_MESSAGE);
