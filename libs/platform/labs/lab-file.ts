import { z } from 'zod';
import { ClockPatch, NewCluster } from '../nouns.js';
import { durationSchema } from '../duration.js';

const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const MAX_NAME = 50;
const MAX_TEXT = 32 * 1024;
const MAX_SCRIPT = 32 * 1024;
const MAX_STEPS = 30;
const MAX_OBJECTS = 200;
const MAX_CHECKS = 50;
export const API_VERSION = 'terrarium.dev/v1alpha1';

const name = z
  .string()
  .min(1)
  .max(MAX_NAME)
  .regex(NAME, 'must be lower-case letters, digits and dashes, beginning and ending with a letter or digit');
const text = z.string().max(MAX_TEXT);
const script = z.string().min(1).max(MAX_SCRIPT);
const title = z.string().min(1).max(200);
const wait = durationSchema('0s', '2h');
const object = z.record(z.string(), z.json());
const labels = z.array(z.string().min(1).max(253)).max(20);

/** An object of terrarium.dev by its name and spec: the cluster itself says what is wrong with it. */
const named = z.strictObject({ name: z.string().min(1).max(253), spec: object });

/** What the lab's cluster is made of; the names, labels and ends of clusters are not the lab's. */
const LabTemplate = NewCluster.pick({
  nodes: true,
  speed: true,
  controlPlane: true,
  controlPlaneTaint: true,
  storageClass: true,
  version: true,
  ipFamilies: true,
});

const LabUser = z.strictObject({
  name: z.string().min(1).max(253).meta({ description: 'A user of the cluster.' }),
  groups: labels.default([]),
  clusterRole: z.string().max(253).optional().meta({ description: 'Is bound to the user.' }),
  namespace: z.string().max(63).optional().meta({ description: 'The binding is for this namespace alone.' }),
});

const LabFile = z
  .strictObject({
    node: z.string().max(63).optional().meta({ description: 'By default the control plane.' }),
    pod: z.string().max(253).optional().meta({ description: 'In place of a node: NAMESPACE/NAME.' }),
    container: z.string().max(63).optional(),
    path: z.string().min(2).max(1_024).startsWith('/'),
    content: text,
    mode: z
      .string()
      .regex(/^0?[0-7]{3}$/, 'must be three octal digits')
      .optional(),
  })
  .refine(({ node, pod }) => node === undefined || pod === undefined, {
    path: ['pod'],
    error: 'must not be given with a node',
  });

/** The cluster says what is wrong with a URL or a content: as a WebFile of terrarium.dev. */
const LabWebFile = z
  .strictObject({
    url: z.string().min(1).max(2_000).meta({ description: 'Of http or https, of a host outside of the cluster.' }),
    content: z
      .string()
      .max(512 * 1024)
      .optional(),
    binaryContent: z
      .string()
      .max(512 * 1024)
      .optional()
      .meta({ description: 'In base64, in place of content.' }),
  })
  .refine(({ content, binaryContent }) => (content === undefined) !== (binaryContent === undefined), {
    error: 'must have either content or binaryContent',
  });

const LabCheck = z.strictObject({
  name: z.string().min(1).max(63).regex(NAME, 'must be a label'),
  spec: object.meta({ description: 'Of a Check of terrarium.dev/v1alpha1.' }),
  holdsBefore: z
    .boolean()
    .optional()
    .meta({ description: 'It holds until the learner breaks it: terrarium test does not ask that it fails before.' }),
});

export const LabStep = z.strictObject({
  name: name.optional().meta({ description: 'By default step-1, step-2 and so on.' }),
  title,
  text: text.default('').meta({ description: 'Markdown.' }),
  background: script.optional().meta({ description: 'Runs unseen when the step begins.' }),
  foreground: script.optional().meta({ description: 'Is typed into the learner’s terminal when the step begins.' }),
  verify: script.optional().meta({ description: 'Exit code 0: the step is done.' }),
  checks: z.array(z.string()).max(20).default([]).meta({ description: 'Checks that the step asks for.' }),
  hints: z.array(text).max(10).default([]),
  solution: script.optional(),
});

export const LabSpec = z.strictObject({
  title,
  summary: z.string().max(1_000).default(''),
  minutes: z
    .int()
    .min(1)
    .max(24 * 60)
    .optional()
    .meta({ description: 'How long a learner needs.' }),
  cluster: LabTemplate.prefault({}),
  images: z.array(named).max(50).default([]).meta({ description: 'Images of terrarium.dev.' }),
  web: z
    .array(LabWebFile)
    .max(100)
    .default([])
    .meta({ description: 'Files that curl, wget, kubectl and helm find outside.' }),
  manifests: z
    .array(z.union([z.string().max(512 * 1024), object]))
    .max(MAX_OBJECTS)
    .default([])
    .meta({ description: 'Objects, or YAML text of several.' }),
  users: z.array(LabUser).max(50).default([]),
  files: z.array(LabFile).max(100).default([]),
  setup: script.optional().meta({ description: 'Runs on the control plane’s node once the manifests are applied.' }),
  ignoreExitCodes: z.boolean().default(false).meta({
    description:
      'Setup, background and foreground may fail, as with Killercoda: setup leaves what it has said in /var/log/setup.log.',
  }),
  ready: z
    .strictObject({
      condition: z.string().max(4_096).optional().meta({ description: 'CEL over the cluster’s objects.' }),
      timeout: wait.default(600_000),
      settle: wait.default(0).meta({ description: 'So much time goes by after it.' }),
    })
    .prefault({})
    .meta({ description: 'When the prepared cluster is kept.' }),
  faults: z.array(named).max(50).default([]),
  scenarios: z.array(named).max(10).default([]),
  checks: z.array(LabCheck).max(MAX_CHECKS).default([]),
  clock: ClockPatch.optional().meta({ description: 'How time runs for learners.' }),
  learner: z
    .strictObject({
      user: z.string().min(1).max(253).default('learner'),
      groups: labels.default(['terrarium:learners']),
      clusterRole: z
        .string()
        .max(253)
        .default('terrarium:learner')
        .meta({ description: 'By default everything but terrarium.dev.' }),
      shell: z
        .boolean()
        .default(true)
        .meta({ description: 'May open a shell on nodes. Who is root on the control plane is its administrator.' }),
    })
    .prefault({}),
  intro: text.default(''),
  steps: z.array(LabStep).min(1).max(MAX_STEPS),
  finish: text.default(''),
  solution: script.optional().meta({ description: 'Runs after the steps’ own solutions.' }),
  settle: wait.default(120_000).meta({ description: 'How long a solution may take to show, in virtual time.' }),
});

export const Lab = z
  .strictObject({
    apiVersion: z.literal(API_VERSION),
    kind: z.literal('Lab'),
    metadata: z.strictObject({ name }),
    spec: LabSpec,
  })
  .superRefine(({ spec }, context) => {
    const known = new Set(spec.checks.map((check) => check.name));
    if (known.size < spec.checks.length)
      context.addIssue({ code: 'custom', path: ['spec', 'checks'], message: 'must have names of their own' });
    const steps = spec.steps.map(stepName);
    if (new Set(steps).size < steps.length)
      context.addIssue({ code: 'custom', path: ['spec', 'steps'], message: 'must have names of their own' });
    for (const [i, step] of spec.steps.entries())
      for (const check of step.checks)
        if (!known.has(check))
          context.addIssue({
            code: 'custom',
            path: ['spec', 'steps', i, 'checks'],
            message: `there is no check "${check}"`,
          });
  })
  .meta({ id: 'Lab' });

export type Lab = z.infer<typeof Lab>;
export type LabSpec = z.infer<typeof LabSpec>;
export type LabStep = z.infer<typeof LabStep>;

export const stepName = ({ name: given }: Pick<LabStep, 'name'>, i: number): string => given ?? `step-${i + 1}`;
