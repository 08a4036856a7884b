import type { Font } from '../fonts/font';
import { IDENTITY } from './matrix';

/** The parts of the graphics state that matter here (8.4), with the text state's as their operators. */
export const INITIAL_STATE = {
	ctm: IDENTITY,
	font: undefined as Font | undefined,
	fontSize: 0,
	/** Character spacing, word spacing, leading, rise and rendering mode. */
	...{ Tc: 0, Tw: 0, TL: 0, Ts: 0, Tr: 0 },
	/** Horizontal scaling, in percent. */
	Tz: 100,
};

export type GraphicsState = typeof INITIAL_STATE;

/** Operators that set a parameter (Table 103). */
export const PARAMETERS = ['Tc', 'Tw', 'Tz', 'TL', 'Ts', 'Tr'] as const;
