/** What a template is made of, as text/template/parse has it. */

/** An operand of a command. `fields`: `.a.b` behind it. */
export type Operand =
  | { readonly type: 'dot' | 'root'; readonly fields: readonly string[]; readonly at: Place }
  | { readonly type: 'variable'; readonly name: string; readonly fields: readonly string[]; readonly at: Place }
  | {
      readonly type: 'literal';
      readonly value: string | number | boolean | null;
      readonly isInt: boolean;
      readonly at: Place;
    }
  | { readonly type: 'function'; readonly name: string; readonly at: Place }
  | { readonly type: 'group'; readonly pipeline: Pipeline; readonly fields: readonly string[]; readonly at: Place };

/** Where something stands in the template, for messages. */
export interface Place {
  readonly offset: number;
  readonly text: string;
}

export interface Command {
  readonly operands: readonly Operand[];
  readonly at: Place;
}

export interface Pipeline {
  readonly variables: readonly string[];
  /** `:=`, else `=`. */
  readonly declares: boolean;
  readonly commands: readonly Command[];
}

export type TemplateNode =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'action'; readonly pipeline: Pipeline }
  | { readonly type: 'break' | 'continue' }
  | { readonly type: 'call'; readonly name: string; readonly pipeline: Pipeline | undefined; readonly at: Place }
  | ControlNode;

export interface ControlNode {
  readonly type: 'if' | 'with' | 'range';
  readonly pipeline: Pipeline;
  readonly body: readonly TemplateNode[];
  readonly otherwise: readonly TemplateNode[];
}

export interface Template {
  readonly nodes: readonly TemplateNode[];
  readonly defined: ReadonlyMap<string, readonly TemplateNode[]>;
}
