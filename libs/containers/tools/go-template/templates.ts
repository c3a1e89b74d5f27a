import { TemplateSyntaxFailure } from './failures.js';
import { type Counters, type Dialect, LOGIC, type NamedTemplate, type TemplateSource } from './dialect.js';
import type { Pipeline, TemplateNode } from './nodes.js';
import { parseGoTemplate } from './parse.js';
import { Run } from './execute.js';

/** Templates that know each other by name. Models text/template.Template. */
export class Templates implements TemplateSource {
  private readonly known: Map<string, NamedTemplate>;

  constructor(
    readonly dialect: Dialect,
    known: ReadonlyMap<string, NamedTemplate> = new Map(),
    readonly counters: Counters = { steps: 0, depth: 0, output: 0 },
  ) {
    this.known = new Map(known);
  }

  /** The same templates, which what is added from now on does not change; work is counted together. */
  clone(dialect = this.dialect): Templates {
    return new Templates(dialect, this.known, this.counters);
  }

  find(name: string): NamedTemplate | undefined {
    return this.known.get(name);
  }

  /** Reads a text, and what it defines. Throws TemplateSyntaxFailure. */
  add(source: string, text: string): void {
    const { nodes, defined } = parseGoTemplate(text, source);
    const added = [...defined].map(([name, own]) => ({ name, source, text, nodes: own }));
    const main = { name: source, source, text, nodes };
    for (const one of [...added, main]) {
      this.checkFunctions(one);
      // A text that only defines others does not replace a template of its name.
      if (one !== main || hasContent(nodes) || !this.known.has(source)) this.known.set(one.name, one);
    }
  }

  /** What a template prints of a value. Throws TemplateRunFailure. */
  run(name: string, value: unknown): string {
    return new Run(this, value).start(name);
  }

  /** A function that is none is known before anything runs. */
  private checkFunctions({ nodes, source, text }: NamedTemplate): void {
    const { functions } = this.dialect;
    const check = (pipeline: Pipeline | undefined): void =>
      pipeline?.commands.forEach(({ operands }) =>
        operands.forEach((operand) => {
          if (operand.type === 'group') check(operand.pipeline);
          if (operand.type !== 'function' || Object.hasOwn(functions, operand.name) || LOGIC.includes(operand.name))
            return;
          const line = text.slice(0, operand.at.offset).split('\n').length;
          throw new TemplateSyntaxFailure(
            `template: ${source}:${line}: function ${JSON.stringify(operand.name)} not defined`,
          );
        }),
      );
    const walk = (list: readonly TemplateNode[]): void =>
      list.forEach((node) => {
        if ('pipeline' in node) check(node.pipeline);
        if ('body' in node) [node.body, node.otherwise].forEach(walk);
      });
    walk(nodes);
  }
}

const hasContent = (nodes: readonly TemplateNode[]): boolean =>
  nodes.some((node) => node.type !== 'text' || node.text.trim() !== '');
