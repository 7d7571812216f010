import { it } from 'vitest';
import { expectDone, OTHERS } from './lacking.ts';

it.each(OTHERS)('"%s" asks for what is missing, and what is given does the whole thing', expectDone);
