import type { ToolContext } from '../../framework/tool.js';

/** Models olekukonko/tablewriter: titles are centred, numbers stand to the right. */
export function printTable(
  tool: Pick<ToolContext, 'out'>,
  header: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const widths = header.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  const rule = `+${widths.map((width) => '-'.repeat(width + 2)).join('+')}+\n`;
  const centre = (text: string, width: number): string => {
    const left = Math.floor((width - text.length) / 2);
    return ' '.repeat(left) + text + ' '.repeat(width - text.length - left);
  };
  const cell = (text: string, width: number): string =>
    /^\d+$/.test(text) ? text.padStart(width) : text.padEnd(width);
  tool.out(rule + `|${header.map((title, i) => ` ${centre(title, widths[i]!)} `).join('|')}|\n` + rule);
  for (const row of rows) tool.out(`|${row.map((text, i) => ` ${cell(text, widths[i]!)} `).join('|')}|\n`);
  tool.out(rule);
}
