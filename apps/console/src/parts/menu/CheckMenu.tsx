import { DropdownMenu as Radix } from 'radix-ui';
import { useState, type ReactNode } from 'react';
import { Icon } from '../Icon.js';

export interface CheckItem {
  readonly id: string;
  readonly title: string;
  readonly isChecked: boolean;
  readonly isDisabled?: boolean;
}

interface CheckMenuProps {
  /** The button, which says what is chosen. */
  readonly trigger: ReactNode;
  readonly items: readonly CheckItem[];
  /** What chooses many at once, above. */
  readonly firsts: readonly { readonly title: string; readonly isChecked: boolean; run(): void }[];
  onToggle(id: string): void;
}

/** A list of which several can be chosen: it stays open until Escape. Letters that are typed find an item. */
export function CheckMenu({ trigger, items, firsts, onToggle }: CheckMenuProps) {
  const [container, setContainer] = useState<HTMLElement | null>(null);
  const stay = (event: Event): void => event.preventDefault();
  return (
    <Radix.Root modal={false} onOpenChange={(isOpen) => isOpen && setContainer(document.querySelector('main'))}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={container}>
        <Radix.Content className="menu check-menu" align="start" sideOffset={4} collisionPadding={8}>
          {firsts.map(({ title, isChecked, run }) => (
            <Radix.CheckboxItem key={title} checked={isChecked} onSelect={stay} onCheckedChange={run}>
              <Mark />
              {title}
            </Radix.CheckboxItem>
          ))}
          <Radix.Separator className="menu-line" />
          {items.map(({ id, title, isChecked, isDisabled }) => (
            <Radix.CheckboxItem
              key={id}
              checked={isChecked}
              disabled={isDisabled}
              onSelect={stay}
              onCheckedChange={() => onToggle(id)}
            >
              <Mark />
              {title}
            </Radix.CheckboxItem>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const Mark = () => (
  <span className="menu-mark">
    <Radix.ItemIndicator>
      <Icon name="check" />
    </Radix.ItemIndicator>
  </span>
);
