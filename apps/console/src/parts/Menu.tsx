import { DropdownMenu as Radix } from 'radix-ui';
import { useState, type ReactNode } from 'react';
import { Icon, type IconName } from './Icon.js';

export interface MenuItem {
  readonly title: string;
  readonly icon?: IconName;
  readonly tone?: 'bad';
  readonly isDisabled?: boolean;
  run(): void;
}

/** A button that opens a list of things to do. Not modal: the rest of the page stays what it is to who hears it. */
export function Menu({ trigger, items }: { readonly trigger: ReactNode; readonly items: readonly MenuItem[] }) {
  // Within the page's content, as all that is said; which is another one after signing in.
  const [container, setContainer] = useState<HTMLElement | null>(null);
  return (
    <Radix.Root modal={false} onOpenChange={(isOpen) => isOpen && setContainer(document.querySelector('main'))}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={container}>
        <Radix.Content className="menu" align="end" sideOffset={4}>
          {items.map(({ title, icon, tone, isDisabled, run }) => (
            <Radix.Item key={title} className={tone} disabled={isDisabled} onSelect={run}>
              {icon && <Icon name={icon} />}
              {title}
            </Radix.Item>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
