import crypto from 'node:crypto';
import swc from '@swc/jest';

/** Statements that stand before all others: comments and imports, as swc prints them. */
const HEAD = /(?:\s+|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/|import\b[^;]*;)*/y;

const IMPORT = /^import\b[^;'"]*['"][^'"\n]+['"];$/gm;

/**
 * Makes the module of a spec one whose default export declares its tests: a group of specs calls it inside a
 * `describe`, which must not wait, so that an ES module cannot be imported there. No line moves.
 */
function exportTests(code) {
  HEAD.lastIndex = 0;
  const end = HEAD.exec(code)[0].length;
  const [rest, map = ''] = code.slice(end).split(/(?=\n\/\/# sourceMappingURL=)/);
  // An import may stand below other statements, too.
  const below = [];
  const body = rest.replace(IMPORT, (statement) => (below.push(statement), ''));
  return `${code.slice(0, end)}${below.join(' ')}export default () => {${body}\n};${map}`;
}

/** @swc/jest for the specs of a group. */
export default {
  createTransformer(options) {
    const transformer = swc.createTransformer(options);
    const wrap = (result) => ({ ...result, code: exportTests(result.code) });
    return {
      ...transformer,
      process: (...args) => wrap(transformer.process(...args)),
      processAsync: async (...args) => wrap(await transformer.processAsync(...args)),
      getCacheKey: (...args) =>
        crypto
          .createHash('sha1')
          .update(transformer.getCacheKey(...args))
          .update(String(exportTests))
          .digest('hex'),
    };
  },
};
