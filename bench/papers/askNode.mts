import {
	findTexts,
	placeAtTexts,
} from '../../nodes/SignAndClose/resources/document/places/atText/texts.ts';
import type { TextDesignation } from '../../nodes/SignAndClose/resources/document/places/designations.ts';
import type { Place, Row } from './truth.mts';

/** What the node's At a Text answers to a row: where its texts begin, or why it places nothing. */
export type Answer = { places: Place[] } | { refused: string };

/** Asks At a Text for the places right on the texts of all rows, in one read of the file. */
export async function askNode(bytes: Uint8Array, rows: readonly Row[]): Promise<Answer[]> {
	const faults = rows.map((): string[] => []);
	const entries = rows.map(
		({ text, occurrence, nth = 1, pages, notInside }, index): TextDesignation => ({
			row: index + 1,
			noteFault: (...fault: string[]) => {
				faults[index].push(fault.join(': '));
				return undefined;
			},
			nameField: (field: string) => field,
			designation: { signer_identifier: 'borrower', type: 'signature' },
			box: { width: 1, height: 1 },
			text,
			side: 'on',
			right: 0,
			up: 0,
			occurrence,
			nth,
			pages: [{ from: pages ?? 1, to: pages ?? Infinity }],
			notInside,
			ignorePicturesOn: [],
			nextText: undefined,
			nextSide: 'either',
		}),
	);
	const found = await findTexts(entries, bytes, async () => undefined);
	if ('problem' in found) return rows.map(() => ({ refused: found.problem }));
	const options = { points: 1, trustsRecognized: false };
	const placed = placeAtTexts(entries, found, options, (missing, pageNames) => {
		for (const { row, text } of missing)
			faults[Number(row) - 1].push(`'${text}' isn't on ${pageNames}`);
	});
	return rows.map((_, index) =>
		faults[index].length > 0
			? { refused: faults[index].join('; ') }
			: {
					places: placed
						.filter(({ row }) => row === index + 1)
						.map(({ page, box: { x, y } }) => ({ page, x, y })),
				},
	);
}

/** How far, in points, a place may be from where its text begins. */
export const NEAR = 3;

export const isNear = (place: Place, other: Place): boolean =>
	place.page === other.page && Math.hypot(place.x - other.x, place.y - other.y) <= NEAR;
