import type { Start } from '@terrarium/engine';

const folderOf = (path: string): string => path.slice(0, Math.max(1, path.lastIndexOf('/')));

/** The file that a flag names: `--config.file=/etc/x.yml`, `-config.file /etc/x.yml`; the last one counts. */
export function fileOfFlag({ argv }: Pick<Start, 'argv'>, flag: string): string | undefined {
  let found: string | undefined;
  argv.forEach((word, i) => {
    const name = word.replace(/^--?/, '');
    if (name === word) return;
    if (name === flag) found = argv[i + 1];
    else if (name.startsWith(`${flag}=`)) found = name.slice(flag.length + 1);
  });
  return found;
}

/**
 * What lies at a path of a container whose image has `own` there: a text, or nothing (null).
 * Undefined: the image's own, or what is not known from here: a claim's, or another container's.
 */
export function mountedText(start: Start, path: string, own: string): string | null | undefined {
  const files = start.files();
  const text = files[path];
  if (text !== undefined) return text;
  const isOver = ({ mountPath }: { readonly mountPath: string }): boolean => {
    const folder = mountPath.replace(/\/$/, '');
    return path === folder || path.startsWith(`${folder}/`);
  };
  const mount = start.container.volumeMounts?.find(isOver);
  if (!mount) return path === own || folderOf(path) === folderOf(own) ? undefined : null;
  // Of a mount of the API's objects all is known.
  return Object.keys(files).some((name) => isOver({ mountPath: mount.mountPath }) && within(name, mount.mountPath))
    ? null
    : undefined;
}

const within = (name: string, folder: string): boolean => name.startsWith(`${folder.replace(/\/$/, '')}/`);
