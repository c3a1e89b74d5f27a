import { textOf } from '../../../../engine/kernel/bytes.js';
import { CallFailure, TemplateRunFailure, TemplateSyntaxFailure } from '../../go-template/failures.js';
import { ARITY, FUNCTIONS } from '../../go-template/functions.js';
import type { Dialect } from '../../go-template/dialect.js';
import { Templates } from '../../go-template/templates.js';
import { type GoObject, isMap, isNil } from '../../go-template/values.js';
import { lastName } from '../../names.js';
import { type Chart, nameOf, textField } from '../chart/chart.js';
import type { Values } from '../chart/values.js';
import { HelmFailure } from '../failure.js';
import { ENCODINGS } from './functions/encodings.js';
import { LISTS } from './functions/lists.js';
import { type Machine, machineFunctions } from './functions/machine.js';
import { MAPS } from './functions/maps.js';
import { NUMBERS } from './functions/numbers.js';
import { STRINGS } from './functions/strings.js';
import { arityOf, callsOf, fail, type FunctionTable, typed } from './functions/typed.js';
import { type Capabilities, capabilitiesObject, chartObject, filesObject } from './objects.js';

/** An object of the cluster, or a list; {} when there is none. */
export type Lookup = (apiVersion: string, kind: string, namespace: string, name: string) => unknown;

/** What a chart is rendered for. */
export interface RenderContext {
  readonly release: {
    readonly name: string;
    readonly namespace: string;
    readonly revision: number;
    readonly isInstall: boolean;
  };
  readonly capabilities: Capabilities;
  readonly machine: Machine;
  readonly lookup: Lookup;
  /** What is missing does not fail. */
  readonly isLint?: boolean;
}

interface Renderable {
  readonly text: string;
  readonly values: Values;
  readonly base: string;
}

const WARNING = /HELM_ERR_START([^]*)HELM_ERR_END/;
const MAX_TEMPLATES = 1_000;

/** Whole texts by their template's path, without partials. Models pkg/engine. Throws HelmFailure. */
export function renderChart(chart: Chart, values: Values, context: RenderContext): Map<string, string> {
  const found = new Map<string, Renderable>();
  const top: Values = { Values: values };
  collect(chart, top, nameOf(chart), true, found, context, capabilitiesObject(context.capabilities));
  if (found.size > MAX_TEMPLATES) throw new HelmFailure(`too many templates in one chart (${MAX_TEMPLATES})`);
  const templates: Templates = new Templates(dialectOf(context, (): Templates => templates));
  const names = [...found.keys()].sort(byPathLength);
  const rendered = new Map<string, string>();
  for (const name of names) {
    try {
      templates.add(name, found.get(name)!.text);
    } catch (error) {
      throw error instanceof TemplateSyntaxFailure ? cleanParseFailure(name, error.message) : error;
    }
  }
  for (const name of names) {
    if (lastName(name).startsWith('_')) continue;
    const { values: own, base } = found.get(name)!;
    own['Template'] = { Name: name, BasePath: base };
    try {
      rendered.set(name, templates.run(name, own).replaceAll('<no value>', ''));
    } catch (error) {
      throw error instanceof TemplateRunFailure ? cleanRunFailure(error.message) : error;
    }
  }
  return rendered;
}

/** Those in deeper folders come first. Models sortTemplates. */
function byPathLength(a: string, b: string): number {
  const depth = b.split('/').length - a.split('/').length;
  return depth !== 0 ? depth : a < b ? 1 : -1;
}

function cleanParseFailure(name: string, message: string): HelmFailure {
  const parts = message.split(': ');
  return parts.length === 1
    ? new HelmFailure(`parse error in (${name}): ${message}`)
    : new HelmFailure(`parse error at (${parts[1]}): ${parts.at(-1)}`);
}

function cleanRunFailure(message: string): HelmFailure {
  const [, place = '', ...rest] = message.split(': ');
  const warning = WARNING.exec(rest.join(': '));
  return new HelmFailure(warning ? `execution error at (${place}): ${warning[1]}` : message);
}

/** Models recAllTpls: what the templates of a chart see, and so for each chart within. */
function collect(
  chart: Chart,
  parent: Values,
  path: string,
  isRoot: boolean,
  found: Map<string, Renderable>,
  context: RenderContext,
  capabilities: GoObject,
): Values {
  const { name, namespace, revision, isInstall } = context.release;
  const above = parent['Values'];
  const own = isMap(above) ? (isRoot ? above : Object.hasOwn(above, nameOf(chart)) ? above[nameOf(chart)] : {}) : {};
  const inner: Values = {};
  const values: Values = {
    Chart: chartObject(chart.metadata, isRoot),
    Files: filesObject(chart.files),
    Release: {
      ...{ Name: name, Namespace: namespace, IsUpgrade: !isInstall, IsInstall: isInstall, Service: 'Helm' },
      Revision: revisionOf(revision),
    },
    Capabilities: capabilities,
    Values: own ?? {},
    Subcharts: inner,
  };
  for (const one of chart.dependencies)
    inner[nameOf(one)] = collect(one, values, `${path}/charts/${nameOf(one)}`, false, found, context, capabilities);
  const isLibrary = textField(chart.metadata, 'type').toLowerCase() === 'library';
  for (const { name: file, data } of chart.templates)
    if (!isLibrary || lastName(file).startsWith('_'))
      found.set(`${path}/${file}`, { text: textOf(data), values, base: `${path}/templates` });
  return values;
}

const revisionOf = (revision: number): unknown => NUMBERS['int']!.call([revision]);

const OWN: FunctionTable = { ...STRINGS, ...LISTS, ...MAPS, ...NUMBERS, ...ENCODINGS };

function dialectOf(context: RenderContext, templates: () => Templates): Dialect {
  const warn = (message: string): never => fail(`HELM_ERR_START${message}HELM_ERR_END`);
  const table: FunctionTable = {
    ...OWN,
    ...machineFunctions(context.machine),
    include: typed('sa', (name: string, data: unknown) => templates().run(name, data)),
    tpl: typed('sa', (text: string, data: unknown) => runText(context, templates(), text, data)),
    required: typed('sa', (message: string, value: unknown) => {
      if (!isNil(value) && value !== '') return value;
      return context.isLint ? '' : warn(message);
    }),
    fail: typed('s', (message: string) => (context.isLint ? '' : warn(message))),
    lookup: typed('ssss', (version: string, kind: string, namespace: string, name: string) =>
      context.lookup(version, kind, namespace, name),
    ),
  };
  return {
    functions: { ...FUNCTIONS, ...callsOf(withMust(table)) },
    arity: { ...ARITY, ...arityOf(withMust(table)) },
    missing: 'null',
    nilText: '<no value>',
  };
}

/** `mustX` fails where `X` does not; here both do. */
const withMust = (table: FunctionTable): FunctionTable => ({
  ...Object.fromEntries(
    Object.keys(table)
      .filter((name) => !name.startsWith('must'))
      .map((name) => [`must${name[0]!.toUpperCase()}${name.slice(1)}`, table[name]!]),
  ),
  ...table,
});

const MAX_TPL_DEPTH = 50;

/** `tpl`: a text as a template that knows the others, and whose own are known to nobody else. */
function runText(context: RenderContext, outer: Templates, text: string, data: unknown): string {
  if (outer.counters.depth > MAX_TPL_DEPTH) fail('exceeded maximum template depth');
  const inner: Templates = outer.clone(dialectOf(context, () => inner));
  try {
    inner.add('gotpl', text);
    return inner.run('gotpl', data).replaceAll('<no value>', '');
  } catch (error) {
    if (error instanceof TemplateSyntaxFailure)
      throw new CallFailure(`cannot parse template ${JSON.stringify(text)}: ${error.message}`);
    if (error instanceof TemplateRunFailure)
      throw new CallFailure(`error during tpl function execution for ${JSON.stringify(text)}: ${error.message}`);
    throw error;
  }
}
