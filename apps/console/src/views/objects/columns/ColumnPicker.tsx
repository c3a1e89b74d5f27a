import { Button } from '../../../parts/Button.js';
import { CheckMenu } from '../../../parts/menu/CheckMenu.js';
import { visible } from '../../../parts/text.js';
import { t } from '../../../texts/texts.js';
import { columnsText, isShown, toggleColumn, type ColumnChoice } from './chosen-columns.js';

interface ColumnPickerProps {
  readonly choices: readonly ColumnChoice[];
  /** By their names; undefined: the usual ones. */
  readonly chosen: ReadonlySet<string> | undefined;
  /** As it stands in a link; '' for the usual ones. */
  onChange(text: string): void;
}

/** Which columns a table has beside the name. */
export function ColumnPicker({ choices, chosen, onChange }: ColumnPickerProps) {
  const isOn = isShown(chosen);
  const isAll = choices.every(isOn);
  return (
    <CheckMenu
      trigger={<Button>{t.objects.columns}</Button>}
      firsts={[
        { title: t.objects.usualColumns, isChecked: !chosen, run: () => onChange('') },
        {
          title: t.objects.allColumns,
          isChecked: isAll,
          run: () => onChange(isAll ? '' : columnsText(choices.map(({ name }) => name))),
        },
      ]}
      items={choices.map((choice) => ({ id: choice.name, title: visible(choice.name), isChecked: isOn(choice) }))}
      onToggle={(name) => onChange(toggleColumn(choices, chosen, name))}
    />
  );
}
