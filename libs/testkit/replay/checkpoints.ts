import { catalog } from '@terrarium/containers';
import { makeTemplate, shiftCheckpoint, type CheckpointState } from '@terrarium/engine';
import type { Header } from './recording.js';

const templates = new Map<string, CheckpointState>();

/** A template's checkpoint, moved to a recording's start; made once a process for equal options. */
export function checkpointFor({ template, start }: Pick<Header, 'template' | 'start'>): CheckpointState {
  const key = JSON.stringify(template);
  const made = templates.get(key) ?? makeTemplate(template, catalog);
  templates.set(key, made);
  return shiftCheckpoint(made, start - made.now);
}
