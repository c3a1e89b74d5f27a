import type { TimelineReader } from '../machinery/questions/why.js';
import { endOf } from './origins.js';
import { findKind, resourceOf } from './find-object.js';
import { stepOf } from './text.js';
import { kindOfResource, type WhyParts } from './world.js';

/** Reads the cluster's history, newest first: who did what, when, and because of what. */
export const timelineOf =
  (parts: Pick<WhyParts, 'kinds' | 'past'>): TimelineReader =>
  ({ filter, resource, before = Number.MAX_SAFE_INTEGER, limit }) => {
    const kind = resource === undefined ? undefined : findKind(parts, resource);
    if (resource !== undefined && !kind) return `the server doesn't have a resource type "${resource}"`;
    const answer = parts.past({
      type: 'search',
      filter: kind ? { ...filter, resource: resourceOf(kind) } : filter,
      before,
      limit,
    });
    const entries = answer.changes.map((one) => stepOf(one, kindOfResource(parts, one.resource)?.singular));
    const isOver = answer.ended === 'retention' || answer.ended === 'beginning' || answer.reached <= 0;
    return {
      entries,
      ...(isOver ? {} : { before: answer.reached + 1 }),
      ends: answer.ended === 'retention' ? endOf(answer) : '',
    };
  };
