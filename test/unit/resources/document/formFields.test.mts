import { readFileSync } from 'node:fs';

import {
	describeFieldObstacle,
	findFormFields,
} from '../../../../nodes/SignAndClose/resources/document/places/formFields/matches.ts';
import { forEachCase } from '../../../support/forEachCase.mts';

/** The fields of forms by other programs, against what their generators say (bench/papers/forms). */

interface Truth {
	file: string;
	fields: Array<{
		name: string;
		type: string;
		page?: number;
		box: [number, number, number, number];
		expected?: string;
		why?: string;
	}>;
}
const FOLDER = 'test/fixtures/forms';
const listTruths = (folder: string): Array<[string, Truth]> =>
	(JSON.parse(readFileSync(`${FOLDER}/${folder}/truth.json`, 'utf8')) as Truth[]).map((truth) => [
		`${folder}/${truth.file}`,
		truth,
	]);
/** Our names say that several fields of one name are its widgets: each is a place. */
const SAME_NAME = 'another field has the same name';

interface Place {
	called: string;
	box: number[];
}
const sort = (places: Place[]) =>
	places.sort(
		(a, b) => a.called.localeCompare(b.called) || a.box[1] - b.box[1] || a.box[0] - b.box[0],
	);
/** A form that rounds may be half a point off on each side. */
const WITHIN = 1;

test.each([...listTruths('good'), ...listTruths('traps')])('%s', async (path, { fields }) => {
	const form = await findFormFields(readFileSync(`${FOLDER}/${path}`), async () => undefined);
	const places = fields.filter(
		({ expected = 'place', why }) => expected === 'place' || why === SAME_NAME,
	);
	if ('problem' in form) {
		expect(places).toEqual([]);
		return;
	}
	const usable = form.fields.filter(
		(field) => field.kind !== 'other' && describeFieldObstacle(field, form.pages) === undefined,
	);
	const read = sort(
		usable.map(({ name, kind, page, box }) => ({
			called: `${name} ${kind} ${page}`,
			box: [box!.left, box!.bottom, box!.right, box!.top],
		})),
	);
	const drawn = sort(
		places.map(({ name, type, page, box }) => ({ called: `${name} ${type} ${page}`, box })),
	);
	expect(read.map(({ called }) => called)).toEqual(drawn.map(({ called }) => called));
	forEachCase([...read.entries()], ([index, { box }]) => {
		const distances = box.map((side, at) => Math.abs(side - drawn[index].box[at]));
		expect(Math.max(...distances)).toBeLessThanOrEqual(WITHIN);
	});
});
