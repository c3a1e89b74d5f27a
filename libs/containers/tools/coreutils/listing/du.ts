import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { humanSize, parseSize } from '../../format.js';
import { type Options, parseOptions, quoteName } from '../../framework/options.js';
import { defineTool, strerror, type ToolContext, ToolFailure } from '../../framework/tool.js';

const OPTIONS = [
  ...[
    'a,all',
    'b,bytes',
    'B,block-size:',
    'c,total',
    'd,max-depth:',
    'h,human-readable',
    'k',
    'l,count-links',
    'L,dereference',
  ],
  ...[
    'm',
    's,summarize',
    'S,separate-dirs',
    'x,one-file-system',
    'apparent-size',
    'exclude:',
    'si',
    '0,null',
    'D',
    'H',
  ],
];

export const du = defineTool(
  (tool) => {
    const options = parseOptions(tool, OPTIONS);
    const depth = options.has('s') ? 0 : Number(options.value('d') ?? Infinity);
    if (Number.isNaN(depth)) throw new ToolFailure(`invalid maximum depth ${quoteName(options.value('d')!)}`);
    const usage = new Usage(tool, options, depth);
    let total = 0;
    for (const path of options.operands.length === 0 ? ['.'] : options.operands) total += usage.add(path, 0);
    if (options.has('c')) usage.print(total, 'total');
    return usage.code;
  },
  { usage: '[OPTION]... [FILE]...' },
);

class Usage {
  code = 0;
  private readonly counted = new Set<string>();
  private readonly unit: number;

  constructor(
    private readonly tool: ToolContext,
    private readonly options: Options,
    private readonly depth: number,
  ) {
    const given = options.value('B');
    this.unit =
      given !== undefined
        ? (parseSize(given.replace(/^[A-Z]/, '1$&')) ?? 1_024)
        : options.has('m')
          ? 1_048_576
          : options.has('b')
            ? 1
            : 1_024;
  }

  print(bytes: number, path: Bytes): void {
    const size = this.options.has('h') ? humanSize(bytes) : String(Math.ceil(bytes / this.unit));
    this.tool.out(`${size}\t${path}${this.options.has('0') ? '\0' : '\n'}`);
  }

  /** Bytes of a file, or of a directory and all below it. */
  add(path: Bytes, level: number): number {
    const { sys, flavour } = this.tool;
    try {
      const stat = this.options.has('L') ? sys.stat(path) : sys.lstat(path);
      sys.charge(2);
      const key = `${stat.fileSystem} ${stat.inode}`;
      if (stat.type !== 'directory' && stat.links > 1 && this.counted.has(key)) return 0;
      this.counted.add(key);
      let bytes = this.options.has('b', 'apparent-size') ? stat.size : stat.blocks * 512;
      if (stat.type === 'directory') {
        for (const name of sys.readDirectory(path)) {
          if (this.options.values('exclude').includes(name)) continue;
          bytes += this.add(path.endsWith('/') ? path + name : `${path}/${name}`, level + 1);
        }
      }
      const isShown = stat.type === 'directory' || level === 0 || this.options.has('a');
      if (isShown && level <= this.depth) this.print(bytes, path);
      return bytes;
    } catch (error) {
      const message = strerror(error);
      const verb = message === 'Permission denied' ? 'cannot read directory' : 'cannot access';
      this.tool.warn(flavour === 'gnu' ? `${verb} ${quoteName(path)}: ${message}` : `${path}: ${message}`);
      this.code = 1;
      return 0;
    }
  }
}
