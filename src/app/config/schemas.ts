import { z } from 'zod';

export const httpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
export const headerText = z.string().regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces');
export const secret = headerText.min(8, 'is too short to be real');
export const words = z.string().transform((text) => text.split(/[\s,]+/).filter((word) => word !== ''));
