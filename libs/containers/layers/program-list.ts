/**
 * Programs of one package in one directory: 'DIRECTORY PACKAGE NAME NAME=PROGRAM …'. A name is at DIRECTORY/NAME and
 * stands for the program PACKAGE:NAME, or for PROGRAM.
 */
export type ProgramList = string;

export interface ListedProgram {
  readonly path: string;
  readonly name: string;
  readonly program: string;
}

export function parseProgramList(list: ProgramList): ListedProgram[] {
  const [path, prefix, ...words] = list.trim().split(/\s+/);
  return words.map((word) => {
    const at = word.indexOf('=', 1);
    const name = at < 0 ? word : word.slice(0, at);
    return { path: `${path}/${name}`, name, program: at < 0 ? `${prefix}:${name}` : word.slice(at + 1) };
  });
}
