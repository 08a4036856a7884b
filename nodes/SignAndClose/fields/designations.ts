import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Params } from '../core/params';
import { InputFailure } from '../service/failures';

export const designationsJson: INodeProperties = {
	displayName: 'Designations (JSON)',
	name: 'designationsJson',
	type: 'json',
	default: '[]',
	typeOptions: { rows: 6 },
	placeholder: 'e.g. [{"signer_identifier": "borrower-1", "type": "signature", "page_number": 0, "x": 72, "y": 96, "width": 180, "height": 24}]',
	description:
		'Where to sign, as a JSON array. Positions are in points (1/72 inch) from the bottom left of the page, pages count from 0. The signer is named by the external ID, a notary by "notary"',
};

const NUMBERS = ['page_number', 'x', 'y', 'width', 'height'] as const;

/**
 * Reads designations (interface.md §2, Signing designation). Positions are rounded, because live services take whole points only (gaps.md §4).
 * @returns undefined when there are none
 * @throws InputFailure naming the designation by its number, from 1
 */
export function readDesignations(params: Params): { designations: IDataObject[]; rounded: boolean } | undefined {
	const label = params.label('designationsJson');
	const value = params.json('designationsJson');
	if (value === undefined) return undefined;
	if (!Array.isArray(value)) throw new InputFailure(label, 'is not a JSON array', 'Put the designations in square brackets: [{ ... }, { ... }]');
	if (value.length === 0) return undefined;
	let rounded = false;
	const designations = value.map((entry: unknown, index) => {
		const complain = (what: string, remedy: string) => new InputFailure(label, `, designation ${index + 1}: ${what}`, remedy);
		if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) throw complain('it is no object', 'Write each designation in braces: {"type": "signature", ...}');
		const designation: IDataObject = { ...(entry as IDataObject) };
		for (const field of ['signer_identifier', 'type'] as const) {
			const text = designation[field];
			if (typeof text !== 'string' || text.trim() === '') {
				throw complain(`"${field}" is missing`, field === 'type' ? 'Add e.g. "type": "signature"' : 'Add the signer\'s external ID, or "notary"');
			}
		}
		for (const field of NUMBERS) {
			const given = designation[field];
			const number = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
			if (typeof number !== 'number' || !Number.isFinite(number) || number < 0) {
				throw complain(`"${field}" is ${given === undefined ? 'missing' : 'not a number from 0 on'}`, `Add "${field}" as a number of points${field === 'page_number' ? ', the first page is 0' : ''}`);
			}
			designation[field] = Math.round(number);
			rounded ||= designation[field] !== number;
		}
		return designation;
	});
	checkConditions(designations, label);
	return { designations, rounded };
}

/** A conditional designation needs its trigger in the same document (interface.md §4, designation rule 2). */
function checkConditions(designations: IDataObject[], label: string): void {
	const triggers = new Set(designations.filter((entry) => entry.optional === true).map((entry) => entry.primary_designation_identifier));
	for (const [index, { conditional_on_primary: on }] of designations.entries()) {
		if (on !== undefined && !triggers.has(on)) {
			throw new InputFailure(
				label,
				`, designation ${index + 1}: no optional designation has the primary_designation_identifier '${String(on)}'`,
				'Give the triggering designation "optional": true and this "primary_designation_identifier"',
			);
		}
	}
}
