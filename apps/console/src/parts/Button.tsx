import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { Icon, type IconName } from './Icon.js';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly tone?: 'plain' | 'main' | 'bad' | 'quiet';
  readonly icon?: IconName;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly children?: ReactNode;
}

export const Button = ({ tone = 'plain', icon, children, className = '', ...props }: ButtonProps) => (
  <button type="button" {...props} className={`button ${tone} ${className}`}>
    {icon && <Icon name={icon} />}
    {children}
  </button>
);

/** A button that shows only a sign: its label is read, and shown when it is pointed at. */
export const IconButton = ({
  label,
  icon,
  ...props
}: Omit<ButtonProps, 'children'> & { readonly label: string; readonly icon: IconName }) => (
  <Button
    tone="quiet"
    aria-label={label}
    title={label}
    {...props}
    icon={icon}
    className={`only-icon ${props.className ?? ''}`}
  />
);
