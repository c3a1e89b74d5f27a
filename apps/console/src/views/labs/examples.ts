/** The repository's examples, each as its file's text; the build puts them into a module of their own. */
const files = import.meta.glob<string>('../../../../../examples/labs/*/lab.yaml', {
  query: '?raw',
  import: 'default',
  eager: true,
});

export interface ExampleLab {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly text: string;
}

/** The value of a line "  title: …": the examples have it so, and no parser is needed to list them. */
const lineOf = (text: string, field: string): string => new RegExp(`^ {2}${field}: (.+)$`, 'm').exec(text)?.[1] ?? '';

export const EXAMPLE_LABS: readonly ExampleLab[] = Object.entries(files)
  .map(([path, text]) => ({
    name: path.split('/').at(-2)!,
    title: lineOf(text, 'title'),
    summary: lineOf(text, 'summary'),
    text,
  }))
  .sort((a, b) => Number(b.name === 'first-pod') - Number(a.name === 'first-pod') || (a.title < b.title ? -1 : 1));
