import type { IDataObject } from 'n8n-workflow';

import { joinHints } from '../../../form/hints';
import type { Platform } from '../../../transport/service/endpoints';
import { quote, toCapitalized } from '../../../values/words';
import type { LeftOutPlace } from './signers';

/* Says which places a document doesn't have, and why. */

/** What the reason of a place ends with if the document has a text for somebody who isn't there. */
const TEXT_IS_THERE = ', though the text is there';

/** Says of how many places left out the texts are there. */
function describeTextsThere(count: number, thereCount: number): string {
	if (thereCount === 0) return '';
	if (thereCount < count)
		return `, though ${thereCount} of the texts ${thereCount === 1 ? 'is' : 'are'} there`;
	return count === 1 ? TEXT_IS_THERE : ', though the texts are there';
}

/**
 * Says what was left out, e.g. "No Co-Borrower in this closing: 3 places left out, though the texts are
 * there".
 */
export function describeLeftOutPlaces(places: readonly ExplainedPlace[]): string | undefined {
	const reasons = new Set(places.map(({ reason }) => reason));
	return joinHints(
		[...reasons].map((reason) => {
			const alike = places.filter((place) => place.reason === reason);
			const thereCount = alike.filter(({ hasText }) => hasText).length;
			return `${toCapitalized(reason)}: ${alike.length} ${alike.length === 1 ? 'place' : 'places'} left out${describeTextsThere(alike.length, thereCount)}`;
		}),
	);
}

/** The document and the rule of a place, if there are several. */
interface OfDocument {
	document?: string;
	rule?: number;
}

/** A place that was left out, and why. */
export interface ExplainedPlace extends LeftOutPlace {
	ofDocument: OfDocument;
	reason: string;
}

/** Says why places were left out. */
export const explainLeftOutPlaces = (
	places: readonly LeftOutPlace[],
	platform: Platform,
	ofDocument: OfDocument = {},
): ExplainedPlace[] =>
	places.map((leftOut) => ({
		...leftOut,
		ofDocument,
		reason:
			leftOut.missing === 'signer'
				? `no ${leftOut.signer} in this ${platform === 'business' ? 'transaction' : 'closing'}`
				: `${quote(leftOut.place)} isn't in ${ofDocument.document ?? 'the document'}`,
	}));

/** Places that were left out, for the output. */
export const toLeftOutOutput = (places: readonly ExplainedPlace[]): IDataObject[] =>
	places.map(({ ofDocument, place, signer, type, reason, hasText }) => ({
		...ofDocument,
		...{ place, signer, type },
		why: reason + (hasText === true ? TEXT_IS_THERE : ''),
	}));
