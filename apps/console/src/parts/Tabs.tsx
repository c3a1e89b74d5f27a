import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

export interface Tab {
  readonly id: string;
  readonly title: string;
  readonly content: ReactNode;
}

/** Tabs whose state the caller keeps, in the URL for instance; of one that is not there the first shows. */
export const Tabs = ({
  label,
  tabs,
  value,
  onChange,
}: {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly value: string;
  onChange(id: string): void;
}) => (
  <Radix.Root value={(tabs.find(({ id }) => id === value) ?? tabs[0])?.id} onValueChange={onChange} className="tabs">
    <Radix.List aria-label={label}>
      {tabs.map(({ id, title }) => (
        <Radix.Trigger key={id} value={id}>
          {title}
        </Radix.Trigger>
      ))}
    </Radix.List>
    {tabs.map(({ id, content }) => (
      <Radix.Content key={id} value={id}>
        {content}
      </Radix.Content>
    ))}
  </Radix.Root>
);
