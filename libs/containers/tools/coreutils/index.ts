import type { Program } from '../../../engine/kernel/process/program.js';
import type { Tool } from '../framework/tool.js';
import { cat } from './text/cat.js';
import { chgrp, chmod, chown } from './files/change.js';
import { cp } from './files/copy.js';
import { install } from './files/install.js';
import { mv } from './files/move.js';
import { cut } from './lines/cut.js';
import { date } from './time/date.js';
import { dd } from './files/dd.js';
import { du } from './listing/du.js';
import { base32Tool, base64, hexdump, od, split, xxd } from './numbers/dump.js';
import { echo, fail, succeed } from './printing/echo.js';
import { expr, factor } from './numbers/expr.js';
import { expand, fmt, fold, unexpand } from './lines/fold.js';
import { head } from './text/head.js';
import { nl, paste, rev, shuf, tac } from './lines/lines.js';
import { comm, join } from './lines/sorted.js';
import { numfmt } from './numbers/numfmt.js';
import { ls } from './listing/ls.js';
import { fallocate, mkdir, mkfifo, mknod, mktemp, rmdir, touch, truncate } from './files/make.js';
import { basename, dirname, pwd, readlink, realpath } from './listing/paths.js';
import { printf } from './printing/printf.js';
import { ln, rm, unlink } from './files/remove.js';
import { chroot, env, nice, nohup, printenv, setsid, stdbuf } from './system/run.js';
import { sleep, timeout, watch } from './time/sleep.js';
import { sort } from './lines/sort.js';
import { df, stat } from './listing/stat.js';
import { cksum, md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum } from './numbers/sums.js';
import { seq } from './numbers/seq.js';
import { arch, groups, hostname, id, logger, nproc, stty, sync, tty, uname, who, whoami } from './system/system.js';
import { tree } from './listing/tree.js';
import { tail } from './text/tail.js';
import { tee } from './text/tee.js';
import { bracket, test } from './system/test.js';
import { tr } from './lines/tr.js';
import { uniq } from './lines/uniq.js';
import { wc } from './text/wc.js';
import { yes } from './printing/yes.js';

/** GNU's package. */
const COREUTILS: Readonly<Record<string, Tool>> = {
  ...{
    '[': bracket,
    arch,
    base32: base32Tool,
    base64,
    basename,
    cat,
    chgrp,
    chmod,
    chown,
    chroot,
    cksum,
    comm,
    cp,
    cut,
    date,
    dd,
    df,
  },
  ...{ dirname, du, echo, env, expand, expr, factor, false: fail, fmt, fold, groups, head, id, install, join, ln, ls },
  ...{
    md5sum,
    mkdir,
    mkfifo,
    mknod,
    mktemp,
    mv,
    nice,
    nl,
    nohup,
    nproc,
    numfmt,
    od,
    paste,
    printenv,
    printf,
    pwd,
    readlink,
  },
  ...{ realpath, rm, rmdir, seq, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum, shuf, sleep, sort, split, stat },
  ...{
    stdbuf,
    stty,
    sync,
    tac,
    tail,
    tee,
    test,
    timeout,
    touch,
    tr,
    true: succeed,
    truncate,
    fallocate,
    tty,
    uname,
    unexpand,
    uniq,
  },
  ...{ unlink, wc, who, whoami, yes },
};
/** Of other packages in Debian, and of busybox. */
const OTHERS: Readonly<Record<string, Readonly<Record<string, Tool>>>> = {
  'util-linux': { fallocate, hexdump, logger, rev, setsid },
  hostname: { hostname },
  procps: { watch },
  xxd: { xxd },
  tree: { tree },
};
const NOT_IN_BUSYBOX = ['base32', 'join', 'numfmt', 'sha224sum', 'sha384sum', 'stdbuf', 'arch'];

const named = (prefix: string, tools: Readonly<Record<string, Tool>>, convert: (tool: Tool) => Program) =>
  Object.fromEntries(Object.entries(tools).map(([name, tool]) => [`${prefix}:${name}`, convert(tool)]));

/** Files, text and the system: by package and name, and as busybox' applets. */
export const programs: Readonly<Record<string, Program>> = {
  ...named('coreutils', COREUTILS, (tool) => tool),
  ...Object.assign({}, ...Object.entries(OTHERS).map(([prefix, tools]) => named(prefix, tools, (tool) => tool))),
  ...named(
    'busybox',
    Object.fromEntries(
      Object.entries({ ...COREUTILS, ...Object.assign({}, ...Object.values(OTHERS)) }).filter(
        ([name]) => !NOT_IN_BUSYBOX.includes(name),
      ),
    ) as Record<string, Tool>,
    (tool) => tool.as('busybox'),
  ),
};
