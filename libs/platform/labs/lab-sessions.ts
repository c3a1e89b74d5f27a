import type { Clusters } from '../clusters/clusters.js';
import type { PrismaClient } from '../database.js';
import type { Caller } from '../identity/principal.js';
import { Refusal } from '../refusal.js';
import type { LabActs } from './acts.js';
import type { CheckReports } from './check-reports.js';
import { stepName, type LabStep } from './lab-file.js';
import type { EnteredStep, LabView, Verification } from './lab-nouns.js';
import { labOfCluster, LEARNER_LABEL, type KnownLab } from './lab-rows.js';
import type { LabShell } from './lab-shell.js';
import { asksFor, placeOf } from './place.js';
import { VERIFY_MS } from './run/steps.js';

/** Real ms that scripts may take; those that verify have VERIFY_MS. */
const BACKGROUND_MS = 60_000;
const MAX_MESSAGE = 2_000;

export interface LabSessionsParts {
  readonly database: PrismaClient;
  readonly clusters: Pick<Clusters, 'findRow'>;
  readonly acts: Pick<LabActs, 'record' | 'hasEntered' | 'doneSteps'>;
  readonly reports: Pick<CheckReports, 'of' | 'read' | 'expire'>;
  readonly shell: Pick<LabShell, 'run'>;
}

/** A lab as the holder of a learner's cluster goes through it, by a key or by the learner's token. */
export class LabSessions {
  /** Steps that begin just now, by cluster and name. */
  private readonly entering = new Map<string, Promise<string>>();

  constructor(private readonly parts: LabSessionsParts) {}

  /** Throws Refusal 404 when the cluster is no learner's. */
  async view(caller: Caller, clusterId: string): Promise<LabView> {
    const row = await this.parts.clusters.findRow(caller, clusterId);
    const { lab } = await labOfCluster(this.parts.database, row);
    const { title, summary, minutes, intro, finish, steps, cluster } = lab.spec;
    const report = await this.parts.reports.of(row);
    const verified = await this.verified(row.tenantId, lab.metadata.name, clusterId);
    const place = placeOf(lab.spec, verified, report.checks);
    return {
      name: lab.metadata.name,
      learner: row.labels[LEARNER_LABEL] ?? '',
      ...{ title, summary, minutes, intro, finish },
      node: cluster.controlPlane,
      step: place.step,
      score: report.score,
      points: report.points,
      steps: steps.map((step, i) => {
        const name = stepName(step, i);
        return {
          name,
          title: step.title,
          text: step.text,
          hints: step.hints,
          foreground: step.foreground,
          canVerify: asksFor(step),
          done: place.done.includes(name),
          checks: report.checks.filter((check) => step.checks.includes(check.name)),
        };
      }),
    };
  }

  /** The last revision of the cluster. Throws Refusal 404. */
  async headOf(caller: Caller, clusterId: string): Promise<number> {
    return (await this.parts.clusters.findRow(caller, clusterId)).head;
  }

  /** Checks of the cluster have changed: the next view has what they say now. */
  expire(clusterId: string): void {
    this.parts.reports.expire(clusterId);
  }

  /** A step begins: the first time, its script runs in the background. Throws Refusal 404. */
  async enter(caller: Caller, clusterId: string, name: string): Promise<EnteredStep> {
    const found = await this.find(caller, clusterId, name);
    const { foreground } = found.step;
    // A page that is loaded twice begins a step once.
    const key = `${clusterId}/${name}`;
    const beginning = this.entering.get(key) ?? this.begin(clusterId, name, found);
    this.entering.set(key, beginning);
    try {
      return { step: name, message: await beginning, ...(foreground === undefined ? {} : { foreground }) };
    } finally {
      this.entering.delete(key);
    }
  }

  /** What went wrong with the script in the background; '' when nothing did. */
  private async begin(clusterId: string, name: string, { step, row, known }: FoundStep): Promise<string> {
    const { acts, shell } = this.parts;
    let message = '';
    if (step.background !== undefined && !(await acts.hasEntered(row.tenantId, clusterId, name))) {
      const node = known.lab.spec.cluster.controlPlane;
      const { code, output } = await shell.run(clusterId, { node }, step.background, BACKGROUND_MS);
      if (code !== 0) message = `exit code ${code}: ${output.trim().slice(-MAX_MESSAGE)}`;
    }
    await acts.record(clusterId, { kind: 'enter', step: name, text: message });
    return message;
  }

  /** Whether a step is done: its script, and its checks. What has once succeeded stays. Throws Refusal 404. */
  async verify(caller: Caller, clusterId: string, name: string): Promise<Verification> {
    const { step, known } = await this.find(caller, clusterId, name);
    const node = known.lab.spec.cluster.controlPlane;
    const result =
      step.verify === undefined
        ? { code: 0, output: '' }
        : await this.parts.shell.run(clusterId, { node }, step.verify, VERIFY_MS);
    const checks = step.checks.length === 0 ? [] : (await this.parts.reports.read(clusterId)).checks;
    const asked = step.checks.map((one) => checks.find((check) => check.name === one));
    const open = asked.find((check) => check?.phase !== 'Passed');
    const isMet = step.checks.length === 0 || asked.every((check) => check?.phase === 'Passed');
    const done = asksFor(step) && result.code === 0 && isMet;
    const message = (result.output.trim() || (isMet ? '' : (open?.message ?? 'a check is not there any more'))).slice(
      -MAX_MESSAGE,
    );
    await this.parts.acts.record(clusterId, { kind: 'verify', step: name, text: message, done });
    return { step: name, done, message, checks: asked.flatMap((check) => check ?? []) };
  }

  private async find(caller: Caller, clusterId: string, name: string): Promise<FoundStep> {
    const row = await this.parts.clusters.findRow(caller, clusterId);
    const known = await labOfCluster(this.parts.database, row);
    const step = known.lab.spec.steps.find((one, i) => stepName(one, i) === name);
    if (!step) throw new Refusal(404, `the lab "${known.row.name}" has no step "${name}"`);
    return { step, row, known };
  }

  private async verified(tenantId: string, lab: string, clusterId: string): Promise<ReadonlySet<string>> {
    return (await this.parts.acts.doneSteps(tenantId, lab)).get(clusterId) ?? new Set();
  }
}

interface FoundStep {
  readonly step: LabStep;
  readonly row: { readonly tenantId: string };
  readonly known: KnownLab;
}
