import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { t } from '../texts/texts.js';
import { IconButton } from './Button.js';

interface DialogProps {
  readonly title: string;
  readonly description?: string;
  readonly isOpen: boolean;
  readonly width?: 'narrow' | 'wide';
  onClose(): void;
  readonly children: ReactNode;
}

/** Above the page: holds the focus until Escape, the cross or its work is done. */
export const Dialog = ({ title, description, isOpen, width = 'narrow', onClose, children }: DialogProps) => (
  <Radix.Root open={isOpen} onOpenChange={(open) => open || onClose()}>
    <Radix.Portal>
      <Radix.Overlay className="overlay" />
      <Radix.Content className={`dialog ${width}`} {...(description ? {} : { 'aria-describedby': undefined })}>
        <header>
          <Radix.Title>{title}</Radix.Title>
          <Radix.Close asChild>
            <IconButton icon="close" label={t.common.close} />
          </Radix.Close>
        </header>
        {description && <Radix.Description>{description}</Radix.Description>}
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);
