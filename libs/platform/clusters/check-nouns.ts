import { z } from 'zod';
import { long } from '../long.js';

const MAX_NAME = 253;
const MAX_FIELD = 64;

const phase = z.enum(['Pending', 'Passed', 'Failed']);
const points = z.number().meta({ description: 'What was earned.' });

/** The spec of a Check; the cluster itself says what is missing or wrong. */
export const CheckSpec = z
  .record(z.string().max(MAX_FIELD), z.json())
  .meta({ id: 'CheckSpec', description: 'The spec of a Check of terrarium.dev/v1alpha1: docs/CHECKS.md.' });
export type CheckSpec = z.infer<typeof CheckSpec>;

export const NewCheck = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(MAX_NAME)
      .optional()
      .meta({ description: 'Unique in its cluster; by default a new one.' }),
    spec: CheckSpec.default({}),
  })
  .meta({ id: 'NewCheck' });
export type NewCheck = z.infer<typeof NewCheck>;

export const CheckPart = z
  .strictObject({
    name: z.string(),
    title: z.string(),
    phase,
    points,
    share: z.number().meta({ description: 'What can be earned.' }),
    message: z.string(),
    hint: z.string().meta({ description: 'Empty once it is passed.' }),
    since: z.string().optional().meta({ description: 'Since when it is asked: virtual time, RFC 3339.' }),
    time: z.string().optional().meta({ description: 'Since when its phase is so.' }),
    revision: long().optional().meta({ description: 'At which revision it came to be so.' }),
  })
  .meta({ id: 'CheckPart' });

export const Check = z
  .strictObject({
    name: z.string(),
    title: z.string(),
    phase,
    score: points,
    points: z.number().meta({ description: 'What can be earned.' }),
    message: z.string(),
    hint: z.string().meta({ description: 'Empty once it is passed.' }),
    parts: z.array(CheckPart),
  })
  .meta({ id: 'Check' });
export type Check = z.infer<typeof Check>;

export const CheckReport = z
  .strictObject({
    score: points,
    points: z.number().meta({ description: 'What can be earned.' }),
    revision: long().meta({ description: 'Of the cluster: the results are those of this moment.' }),
    items: z.array(Check).meta({ description: 'By name.' }),
  })
  .meta({ id: 'CheckReport' });
export type CheckReport = z.infer<typeof CheckReport>;
