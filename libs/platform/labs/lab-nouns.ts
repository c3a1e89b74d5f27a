import { z } from 'zod';
import { long } from '../long.js';
import { durationSchema } from '../duration.js';

const MAX_LEARNERS = 200;
const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const instant = z.string().meta({ description: 'RFC 3339.' });
const learnerName = z
  .string()
  .min(1)
  .max(40)
  .regex(NAME, 'must be lower-case letters, digits and dashes, beginning and ending with a letter or digit');

/** A lab as it is handed in: the whole of it is validated by what docs/LABS.md says, since it may be YAML too. */
export const LabManifest = z
  .record(z.string(), z.json())
  .meta({ id: 'LabManifest', description: 'A Lab of terrarium.dev/v1alpha1: docs/LABS.md. YAML is taken too.' });

export const LabSummary = z
  .object({
    name: z.string(),
    title: z.string(),
    summary: z.string(),
    minutes: z.int().optional(),
    steps: z.int(),
    checks: z.int(),
    clusterId: z.string().meta({ description: 'The prepared cluster, which learners’ clusters go on from.' }),
    revision: long().meta({ description: 'The revision at which they begin.' }),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: 'LabSummary' });
export type LabSummary = z.infer<typeof LabSummary>;

export const LabDetail = LabSummary.extend({
  manifest: z.record(z.string(), z.json()).meta({ description: 'As it was handed in, its solution included.' }),
}).meta({ id: 'LabDetail' });
export type LabDetail = z.infer<typeof LabDetail>;

export const LabList = z.object({ items: z.array(LabSummary) }).meta({ id: 'LabList' });
export type LabList = z.infer<typeof LabList>;

export const NewLearners = z
  .strictObject({
    names: z.array(learnerName).min(1).max(MAX_LEARNERS).optional().meta({ description: 'One cluster for each.' }),
    count: z
      .int()
      .min(1)
      .max(MAX_LEARNERS)
      .optional()
      .meta({ description: 'In place of names: learner-1, learner-2 and so on, after those that there are.' }),
    ttl: durationSchema('1s', '3650d').optional().meta({ description: 'Their clusters end so long after now.' }),
    idleTimeout: durationSchema('30s', '3650d').optional(),
  })
  .refine(({ names, count }) => (names === undefined) !== (count === undefined), {
    error: 'either names or a count must be given',
  })
  .refine(({ names = [] }) => new Set(names).size === names.length, {
    path: ['names'],
    error: 'must differ from each other',
  })
  .meta({ id: 'NewLearners' });
export type NewLearners = z.infer<typeof NewLearners>;

export const LearnerCheck = z
  .object({
    name: z.string(),
    phase: z.string().meta({ description: 'Pending, Passed or Failed.' }),
    score: z.number(),
    points: z.number(),
    message: z.string(),
  })
  .meta({ id: 'LearnerCheck' });

export const Learner = z
  .object({
    name: z.string(),
    clusterId: z.string(),
    step: z.int().meta({ description: 'The first step that is not done, from 1; one more than there are at the end.' }),
    steps: z.int(),
    done: z.array(z.string()).meta({ description: 'Names of the steps that are done.' }),
    score: z.number().meta({ description: 'Points of checks that were earned.' }),
    points: z.number(),
    checks: z.array(LearnerCheck),
    lastActivity: instant,
    lastCommand: z.string().meta({ description: 'What was typed last in a terminal; empty before.' }),
    revision: long(),
    state: z.string().meta({ description: 'Of the cluster: running, paused or halted.' }),
  })
  .meta({ id: 'Learner' });
export type Learner = z.infer<typeof Learner>;

export const LearnerList = z
  .object({ lab: z.string(), items: z.array(Learner).meta({ description: 'By name.' }) })
  .meta({ id: 'LearnerList' });
export type LearnerList = z.infer<typeof LearnerList>;

export const StartedLearner = z.object({ name: z.string(), clusterId: z.string() }).meta({ id: 'StartedLearner' });
export const StartedLearners = z.object({ items: z.array(StartedLearner) }).meta({ id: 'StartedLearners' });
export type StartedLearners = z.infer<typeof StartedLearners>;

export const NewLearnerToken = z
  .strictObject({
    ttl: durationSchema('10s', '1d').default(8 * 60 * 60_000),
    scope: z.enum(['read', 'use']).default('use'),
  })
  .meta({ id: 'NewLearnerToken' });
export type NewLearnerToken = z.infer<typeof NewLearnerToken>;

export const LabStepView = z
  .object({
    name: z.string(),
    title: z.string(),
    text: z.string().meta({ description: 'Markdown.' }),
    hints: z.array(z.string()),
    foreground: z.string().optional().meta({ description: 'What the page types into the terminal when it begins.' }),
    canVerify: z.boolean().meta({ description: 'Something says whether the step is done.' }),
    done: z.boolean(),
    checks: z.array(LearnerCheck),
  })
  .meta({ id: 'LabStepView' });

/** A lab as its learner sees it: without solutions. */
export const LabView = z
  .object({
    name: z.string(),
    learner: z.string(),
    title: z.string(),
    summary: z.string(),
    minutes: z.int().optional(),
    intro: z.string(),
    finish: z.string(),
    node: z.string().meta({ description: 'Whose terminal the scripts are for.' }),
    step: z.int(),
    score: z.number(),
    points: z.number(),
    steps: z.array(LabStepView),
  })
  .meta({ id: 'LabView' });
export type LabView = z.infer<typeof LabView>;

export const Verification = z
  .object({
    step: z.string(),
    done: z.boolean(),
    message: z.string().meta({ description: 'What the script has printed, or what a check says.' }),
    checks: z.array(LearnerCheck),
  })
  .meta({ id: 'Verification' });
export type Verification = z.infer<typeof Verification>;

export const EnteredStep = z
  .object({
    step: z.string(),
    foreground: z.string().optional().meta({ description: 'To be typed into the learner’s terminal.' }),
    message: z.string().meta({ description: 'What went wrong with the script in the background; empty when nothing.' }),
  })
  .meta({ id: 'EnteredStep' });
export type EnteredStep = z.infer<typeof EnteredStep>;

export const SessionQuery = z.strictObject({
  after: z.string().max(64).optional().meta({ description: 'nextCursor of the page before: later acts.' }),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});
export type SessionQuery = z.infer<typeof SessionQuery>;

export const SessionAct = z
  .object({
    type: z
      .enum(['command', 'write', 'check', 'enter', 'verify'])
      .meta({ description: 'Typed in a terminal; a write to the API; a check that changed; a step.' }),
    at: instant.meta({ description: 'Virtual time, RFC 3339.' }),
    revision: long().meta({ description: 'The cluster then: /clusters/{id}@{revision}.' }),
    text: z.string(),
    actor: z.string().meta({ description: 'Of a command and a write: a user.' }),
    step: z.string().meta({ description: 'Of enter and verify.' }),
    done: z.boolean().meta({ description: 'Of verify and check: it holds.' }),
  })
  .meta({ id: 'SessionAct' });
export type SessionAct = z.infer<typeof SessionAct>;

export const LabSession = z
  .object({ items: z.array(SessionAct).meta({ description: 'The oldest first.' }), nextCursor: z.string().optional() })
  .meta({ id: 'LabSession' });
export type LabSession = z.infer<typeof LabSession>;
