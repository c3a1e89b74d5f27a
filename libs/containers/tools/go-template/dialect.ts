import type { Arity, TemplateFunction } from './functions.js';
import type { TemplateNode } from './nodes.js';

/** What a program that uses text/template adds to it. */
export interface Dialect {
  readonly functions: Readonly<Record<string, TemplateFunction>>;
  readonly arity: Arity;
  /**
   * What stands for a key that a map lacks: `nothing` has fields that are nothing too, `null` is a nil whose fields
   * cannot be read (missingkey=zero of a map of any), `refused` fails.
   */
  readonly missing: 'nothing' | 'null' | 'refused';
  /** What an action prints of a nil; by default `<nil>`. */
  readonly nilText?: string;
}

/** A template by its name, and the text that it stands in. */
export interface NamedTemplate {
  readonly name: string;
  /** Of the text, as messages have it. */
  readonly source: string;
  readonly text: string;
  readonly nodes: readonly TemplateNode[];
}

/** Steps of one set, and templates that call each other. */
export interface Counters {
  steps: number;
  depth: number;
  output: number;
}

export const LOGIC = ['and', 'or'];

/** Where a run finds what it calls. */
export interface TemplateSource {
  readonly dialect: Dialect;
  readonly counters: Counters;
  find(name: string): NamedTemplate | undefined;
}
