import type { Program } from '../../../engine/kernel/process/program.js';
import type { Tool } from '../tool.js';
import { cat } from './cat.js';
import { chgrp, chmod, chown } from './change.js';
import { cp, install, mv } from './copy.js';
import { cut } from './cut.js';
import { date } from './date.js';
import { dd } from './dd.js';
import { du } from './du.js';
import { base32Tool, base64, hexdump, od, split, xxd } from './dump.js';
import { echo, fail, seq, succeed } from './echo.js';
import { expr, factor } from './expr.js';
import { expand, fmt, fold, unexpand } from './fold.js';
import { head } from './head.js';
import { comm, join, nl, paste, rev, shuf, tac } from './lines.js';
import { ls } from './ls.js';
import { mkdir, mkfifo, mknod, mktemp, rmdir, touch, truncate } from './make.js';
import { basename, dirname, pwd, readlink, realpath } from './paths.js';
import { printf } from './printf.js';
import { ln, rm, unlink } from './remove.js';
import { chroot, env, nice, nohup, printenv, setsid, stdbuf } from './run.js';
import { sleep, timeout, watch } from './sleep.js';
import { sort } from './sort.js';
import { df, stat } from './stat.js';
import { cksum, md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum } from './sums.js';
import { arch, groups, hostname, id, logger, nproc, stty, sync, tty, uname, who, whoami } from './system.js';
import { tail } from './tail.js';
import { tee } from './tee.js';
import { bracket, test } from './test.js';
import { tr } from './tr.js';
import { uniq } from './uniq.js';
import { wc } from './wc.js';
import { yes } from './yes.js';

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
  ...{ md5sum, mkdir, mkfifo, mknod, mktemp, mv, nice, nl, nohup, nproc, od, paste, printenv, printf, pwd, readlink },
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
    tty,
    uname,
    unexpand,
    uniq,
  },
  ...{ unlink, wc, who, whoami, yes },
};
/** Of other packages in Debian, and of busybox. */
const OTHERS: Readonly<Record<string, Readonly<Record<string, Tool>>>> = {
  'util-linux': { hexdump, logger, rev, setsid },
  hostname: { hostname },
  procps: { watch },
  xxd: { xxd },
};
const NOT_IN_BUSYBOX = ['base32', 'join', 'sha224sum', 'sha384sum', 'stdbuf', 'arch'];

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
