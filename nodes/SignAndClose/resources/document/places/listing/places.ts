import type { IDataObject } from 'n8n-workflow';

import { Budget, type Pause, type UnreadableReason } from '../../../../pdf/bounds/limits';
import type { PdfField } from '../../../../pdf/form/fields';
import { readFields, readPages, type PageSize, type PdfPage } from '../../../../pdf/pages';
import { describeParty, parseFieldName } from '../formFields/fieldNames';
import { describeFieldObstacle, describeUncertainty } from '../formFields/matches';
import { findLabels, type Label } from './labels';

/* The places of a file as the output has them. */

/** A form field, or a text that looks like a label. Its box is in points, from the bottom left. */
export interface Place {
	page: number;
	kind: 'field' | 'text';
	/** The name of the field, or the text as it stands there. */
	name: string;
	x: number;
	y: number;
	width: number;
	height: number;
	/** What is filled in there, and by whom, as far as the name says it. */
	suggested_type: string | null;
	suggested_party: string | null;
	/** Why nobody can sign there. */
	not_usable: string | null;
	field_type: string | null;
}

/** Reads the pages of a file, and the places on them from the top of the first to the last. */
export async function findPlaces(
	bytes: Uint8Array,
	pause: Pause,
): Promise<{ pages: PdfPage[]; places: Place[] } | { reason: UnreadableReason }> {
	const reading = await readPages(bytes, pause);
	if ('reason' in reading) return reading;
	const form = await readFields(bytes, pause);
	if ('reason' in form) return form;
	const { pages } = reading;
	// Buttons and lists take nothing that's signed.
	const fields = form.fields.filter(({ kind }) => kind !== 'other');
	const budget = new Budget(pause);
	const places: Place[] = [];
	for (const field of fields) {
		await budget.pauseIfDue();
		places.push(describeField(field, pages));
	}
	for (const page of pages) {
		await budget.pauseIfDue();
		for (const label of findLabels(page)) places.push(describeLabel(label, page));
	}
	places.sort((a, b) => a.page - b.page || b.y - a.y || a.x - b.x);
	return { pages, places };
}

const toTenths = (length: number): number => Math.round(length * 10) / 10;

function describeField(field: PdfField, pages: PageSize[]): Place {
	const { name, kind, page } = field;
	const { left, bottom, right, top } = field.box ?? { left: 0, bottom: 0, right: 0, top: 0 };
	const meaning = parseFieldName(name, kind);
	return {
		page,
		kind: 'field',
		name,
		...toRoundedBox({ x: left, y: bottom, width: right - left, height: top - bottom }),
		suggested_type: meaning?.type ?? null,
		suggested_party: meaning === undefined ? null : describeParty(meaning),
		not_usable: describeFieldObstacle(field, pages) ?? null,
		field_type: kind,
	};
}

const describeLabel = ({ text, type, party, ...label }: Label, page: PageSize): Place => ({
	page: page.number,
	kind: 'text',
	name: text,
	...toRoundedBox(label),
	suggested_type: type,
	suggested_party: party ?? null,
	not_usable: describeUncertainty(page) ?? null,
	field_type: null,
});

const toRoundedBox = ({ x, y, width, height }: Pick<Place, 'x' | 'y' | 'width' | 'height'>) => ({
	x: toTenths(x),
	y: toTenths(y),
	width: toTenths(width),
	height: toTenths(height),
});

/** A place without the kind of its field. */
export const simplifyPlace = (place: Place): IDataObject =>
	Object.fromEntries(Object.entries(place).filter(([name]) => name !== 'field_type'));
