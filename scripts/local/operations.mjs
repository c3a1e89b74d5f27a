// The console's GraphQL operations as TypeScript: each `NAME.graphql` becomes a `NAME.generated.ts` beside it, with the
// text of every operation as the service takes it, and the types of what it gives and takes, by the schema.
import fs from 'node:fs';
import path from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as operationTypes from '@graphql-codegen/typescript-operations';
import { Kind, parse, print, stripIgnoredCharacters, visit } from 'graphql';
import { CONSOLE, generatedFile, operationFiles, SCHEMA } from './operations-files.mjs';
import { Plain, root } from './paths.mjs';

const OPERATION = `${CONSOLE}/api/operation.ts`;
/** What the schema calls by one word and describes elsewhere, and where the console has its type. */
const SHAPES = {
  PictureRows: [`${CONSOLE}/views/picture/model/row.ts`, 'Rows'],
  TableRow: [`${CONSOLE}/kube/row.ts`, 'Row'],
};

/** Writes the modules of all operations. Throws Plain, which names the file, for one that does not fit the schema. */
export async function generateOperations() {
  const schema = parse(fs.readFileSync(path.join(root, SCHEMA), 'utf8'));
  const texts = operationFiles().map((file) => ({ file, text: fs.readFileSync(path.join(root, file), 'utf8') }));
  const shared = texts.flatMap(({ text }) => fragmentsOf(parse(text)));
  for (const { file, text } of texts) {
    const target = path.join(root, generatedFile(file));
    const made = await operationsModule({ schema, file, text, shared });
    if (!fs.existsSync(target) || fs.readFileSync(target, 'utf8') !== made) fs.writeFileSync(target, made);
  }
}

/**
 * The module of one file. `schema` is a document; `file` is from the root; `shared` are the fragments of all files, by
 * which a selection stands once in the console: the module of its own file has its type. Throws Plain.
 */
export async function operationsModule({ schema, file, text, shared = [] }) {
  const from = (to) => relative(file, to).replace(/\.ts$/, '.js');
  const scalars = Object.entries(SHAPES).map(([name, [at, type]]) => [name, `${from(at)}#${type} as ${name}`]);
  try {
    const document = parse(text);
    const own = new Set(fragmentsOf(document).map(nameOf));
    const fragments = new Map([...shared, ...fragmentsOf(document)].map((one) => [nameOf(one), one]));
    const foreign = [...neededBy(document, fragments)].filter((one) => !own.has(nameOf(one)));
    const types = await codegen({
      filename: generatedFile(file),
      schema,
      documents: [{ location: file, document }],
      plugins: [{ types: {} }],
      pluginMap: { types: operationTypes },
      config: {
        externalFragments: foreign.map((node) => ({
          ...{ isExternal: true, importFrom: null, node },
          ...{ name: nameOf(node), onType: node.typeCondition.name.value },
        })),
        scalars: {
          ID: 'string',
          JSON: 'unknown',
          Long: 'number',
          Labels: 'Readonly<Record<string, string>>',
          ...Object.fromEntries(scalars),
        },
        immutableTypes: true,
        skipTypename: true,
        omitOperationSuffix: true,
        dedupeOperationSuffix: false,
        fragmentVariableSuffix: '',
        fragmentSuffix: '',
        operationResultSuffix: '',
        useTypeImports: true,
        enumType: 'string-literal',
      },
    });
    const head = `// Generated from ${path.basename(file)} by scripts/local/operations.mjs; do not edit.\n`;
    const helper = `import { operation } from '${from(OPERATION)}';\n`;
    return `${head}${helper}${types.trim()}\n\n${constants(document, fragments)}`;
  } catch (error) {
    throw new Plain(`${file} does not fit the schema: ${error.message}`);
  }
}

const nameOf = ({ name }) => name.value;
const fragmentsOf = ({ definitions }) => definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);

function relative(file, to) {
  const way = path.relative(path.dirname(file), to);
  return way.startsWith('.') ? way : `./${way}`;
}

/** `ListClusters` is `LIST_CLUSTERS`, with the fragments that it needs. */
function constants({ definitions }, fragments) {
  return definitions
    .filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
    .map((one) => {
      const name = one.name?.value;
      if (!name) throw new Error('every operation needs a name');
      const text = stripIgnoredCharacters([one, ...neededBy(one, fragments)].map(print).join('\n'));
      const constant = name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '_').toUpperCase();
      return `export const ${constant} = operation<${name}, ${name}Variables>(\n  ${JSON.stringify(text)},\n);\n`;
    })
    .join('\n');
}

function neededBy(definition, fragments, found = new Set()) {
  visit(definition, {
    FragmentSpread({ name: { value } }) {
      const fragment = fragments.get(value);
      if (!fragment || found.has(fragment)) return;
      found.add(fragment);
      neededBy(fragment, fragments, found);
    },
  });
  return found;
}
