import { z } from 'zod';
import { long, longText } from '../long.js';

const MAX_TEXT = 253;
const MAX_END = 300;
const MAX_PATH = 1_024;
const text = (description: string, max = MAX_TEXT) => z.string().max(max).optional().meta({ description });
const revision = (description: string) => longText().min(1).optional().meta({ description });
const flag = (description: string) =>
  z
    .union([z.boolean(), z.enum(['true', 'false']).transform((one) => one === 'true')])
    .optional()
    .meta({ description });

/** What is asked, without nesting; the cluster itself says what is missing or wrong. */
export const WhyQuery = z.strictObject({
  resource: text('Of an object, or of a request: as kubectl takes it, such as pods or deployments.apps.'),
  namespace: text("By default 'default'."),
  name: text('The object.'),
  condition: text('One of its conditions.'),
  before: revision('The deletion of a missing object is looked for in changes before this revision.'),
  from: text('A connection: who sends, as in a trace.', MAX_END),
  to: text('A connection: where to, as in a trace.', MAX_END),
  port: text('A connection: the port.', 63),
  protocol: text('A connection: TCP, UDP or SCTP.', 8),
  verb: text('A request: get, create, delete.'),
  user: text('A request: whose; by default the asker’s.'),
  group: text('A request: the API group.'),
  subresource: text('A request: log, exec, scale.'),
  path: text('A request: of no resource.', MAX_PATH),
  revision: revision('A change.'),
});
export type WhyQuery = z.infer<typeof WhyQuery>;

/** The spec of the cluster's own Why. */
export const WhySpec = z
  .record(z.string().max(MAX_TEXT), z.json())
  .meta({ id: 'WhySpec', description: 'The spec of a Why of terrarium.dev/v1alpha1.' });
export type WhySpec = z.infer<typeof WhySpec>;

export const WhyFinding = z
  .strictObject({
    object: z.string().meta({ description: "'pod/shop/web', 'node/worker-1'." }),
    reason: z.string().meta({ description: 'Kubernetes’ own word where there is one: OOMKilled, Unschedulable.' }),
    message: z.string(),
    details: z.array(z.string()).optional().meta({ description: 'Evidence, line by line.' }),
    revision: long().optional().meta({ description: 'The change that tells it.' }),
  })
  .meta({ id: 'WhyFinding' });

export const WhyStep = z
  .strictObject({
    revision: long(),
    at: z.string().meta({ description: 'Virtual time, RFC 3339.' }),
    actor: z.string().meta({ description: 'A user or a component.' }),
    cause: long().meta({ description: 'The revision that it answers to; 0: it came from outside, or with time.' }),
    verb: z.string().meta({ description: 'create, update or delete; type: lines in a terminal.' }),
    object: z.string(),
    fields: z.array(z.string()).meta({ description: 'What an update has changed.' }),
    text: z.string().meta({ description: 'The step as a sentence.' }),
  })
  .meta({ id: 'WhyStep' });

export const Why = z
  .strictObject({
    reason: z.string(),
    message: z.string().meta({ description: 'The plain reason.' }),
    findings: z.array(WhyFinding).meta({ description: 'The one that explains the others comes first.' }),
    chain: z.array(WhyStep).meta({ description: 'From a user’s write to what is asked about.' }),
    chainEnds: z.string().meta({ description: 'Why the chain does not go back to its beginning; empty when it does.' }),
    text: z.string().meta({ description: 'All of it, to be read.' }),
  })
  .meta({ id: 'Why' });
export type Why = z.infer<typeof Why>;

export const TimelineQuery = z.strictObject({
  resource: text('As kubectl takes it.'),
  namespace: text('Only of this namespace.'),
  name: text('Only of objects of this name.'),
  actor: text('A user, a component, or the last part of its name.'),
  verbs: z.string().max(30).optional().meta({ description: 'Of create, update, delete, with commas between.' }),
  ofUsers: flag('Only what no component did.'),
  since: text('A time as RFC 3339.', 40),
  until: text('A time as RFC 3339.', 40),
  after: longText().min(0).optional().meta({ description: 'Changes after this revision.' }),
  before: revision('Changes before this revision: the next page.'),
  limit: z.coerce.number().int().min(1).max(500).optional().meta({ description: 'By default 100.' }),
});
export type TimelineQuery = z.infer<typeof TimelineQuery>;

export const Timeline = z
  .strictObject({
    entries: z.array(WhyStep).meta({ description: 'The newest first.' }),
    before: long().optional().meta({ description: 'Hand it in for the next page; absent on the last one.' }),
    ends: z.string().meta({ description: 'Why nothing older can be read; empty otherwise.' }),
  })
  .meta({ id: 'Timeline' });
export type Timeline = z.infer<typeof Timeline>;
