import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../../messages/failures';
import type { Faults } from '../../../../messages/inputFaults';
import type { OperationCall } from '../../../../run/operation';
import type { PdfField } from '../../../../pdf/form/fields';
import type { Params } from '../../../../run/parameters/params';
import { joinWithAnd, quote } from '../../../../values/words';
import { findReadable, readFile } from '../../files/bytes';
import { listSignerIds } from '../signers';
import { describeFoundPlaces, type DocumentToPlace, type PlacedDesignations } from '../pages';
import { getChoiceName } from '../whereToSign';
import type { FieldDesignation } from '../formFieldRows';
import { describeParty, parseFieldName } from './fieldNames';
import {
	describeFieldObstacle,
	describeForm,
	findFormFields,
	findUnplaced,
	MOST_NAMED,
	nameField,
	nameFields,
	placeAtFields,
	placeByNames,
	type FieldPlace,
	type FormOfFile,
} from './matches';

/** The way out for a form that nothing can be placed at. */
const NO_FORM_REMEDY = "Choose 'At a Text' or 'Designations Below'";

/** What a person has entered of fields. */
interface EnteredFields {
	entries: FieldDesignation[];
	/** Whether there are rows, also of places that are left out. */
	hasRows: boolean;
	/** Whether the names of other fields tell. */
	isByName: boolean;
}

/**
 * Places designations at fields of the file's own form: those of rows, and then those whose names tell.
 */
export async function placeFields(
	call: OperationCall,
	document: DocumentToPlace,
	{ entries, isByName, hasRows }: EnteredFields,
	faults: Faults,
): Promise<PlacedDesignations> {
	const { params } = call;
	const file = findReadable(call, document.resource, document.fields, true);
	const form =
		file && (await faults.collectLater(async () => await readFile(call, file, findFormFields)));
	const refuse = (problem: string, remedy: string) =>
		faults.note(
			new InputFailure(
				params.label('whereToSign'),
				`is ${quote(getChoiceName('fields'))}, ${problem}`,
				remedy,
			),
		);
	if (form !== undefined && 'problem' in form)
		refuse(`but the file ${form.problem}`, NO_FORM_REMEDY);
	if (form === undefined || 'problem' in form) return { places: [], hints: [] };
	const { places, otherFields } = placeAtFields(entries, form);
	const byName = isByName
		? await placeOthers(params, document, form, otherFields, faults)
		: undefined;
	const designations = [...places, ...(byName ?? [])];
	if (designations.length === 0 && !hasRows && byName !== undefined)
		refuse(`and ${describeUnnamed(form)}`, describeWayOut(params, form));
	return {
		places: designations,
		partyIds: new Map((byName ?? []).map(readParty)),
		output: designations.map(describePlace),
		hints: [
			...(designations.length === 0
				? []
				: [describeFoundPlaces(designations) + describeSigners(byName ?? [])]),
			...describeForm(findUnplaced(form.fields, designations), form.fields),
		],
	};
}

const isUsable = (field: PdfField, { pages }: FormOfFile): boolean =>
	field.kind !== 'other' && describeFieldObstacle(field, pages) === undefined;

/** Says why no field gets a place by its name. */
function describeUnnamed(form: FormOfFile): string {
	const usable = form.fields.filter((field) => isUsable(field, form));
	const saysParty = ({ name, kind }: PdfField) => parseFieldName(name, kind) !== undefined;
	const silent = usable.filter((field) => !saysParty(field));
	const unknown = usable.filter(saysParty);
	const unusable = form.fields.filter((field) => saysParty(field) && !isUsable(field, form));
	const reasons = [
		...(silent.length > 0
			? [`no name of a field says which signer's it is: ${nameFields(silent)}`]
			: []),
		...(unknown.length > 0
			? [`no signer has the external ID of the party in ${nameFields(unknown)}`]
			: []),
		...unusable
			.slice(0, MOST_NAMED)
			.map((field) => `${nameField(field)} ${describeFieldObstacle(field, form.pages)}`),
	];
	return reasons.length > 0 ? reasons.join('; ') : 'nobody can sign at its fields';
}

const describeWayOut = (params: Params, form: FormOfFile): string =>
	form.fields.some((field) => isUsable(field, form))
		? `Add an entry to ${quote(params.label('formFields'))}: the name of a field, and who signs there`
		: NO_FORM_REMEDY;

/** @returns undefined when the signers aren't known, because something of the item can't be used */
async function placeOthers(
	params: Params,
	{ retrieve, retrieveSigners = retrieve, roles }: DocumentToPlace,
	form: FormOfFile,
	otherFields: PdfField[],
	faults: Faults,
) {
	if (retrieveSigners === undefined) return undefined;
	const ids = listSignerIds(await retrieveSigners()) ?? [];
	return placeByNames(form, otherFields, { ids, roles }, (field) => ({
		row: nameField(field),
		nameField: quote,
		noteFault: (problem, remedy) =>
			faults.note(
				new InputFailure(
					params.label('whereToSign'),
					`, form field ${nameField(field)}: ${problem}`,
					remedy,
				),
			),
	}));
}

/** Says whose places the names of fields have told: ", by their names for notary (2)". */
function describeSigners(places: readonly FieldPlace[]): string {
	const counts = new Map<string, number>();
	for (const { designation } of places) {
		const signer = String(designation.signer_identifier);
		counts.set(signer, (counts.get(signer) ?? 0) + 1);
	}
	const signers = [...counts].map(([signer, count]) => `${signer} (${count})`);
	return signers.length === 0 ? '' : `, by their names for ${joinWithAnd(signers)}`;
}

/** The party that the name of a field says, and the external ID of its signer. */
const readParty = ({ field: { name, kind }, designation }: FieldPlace): [string, string] => [
	describeParty(parseFieldName(name, kind)!),
	String(designation.signer_identifier),
];

const describePlace = ({ page, box, field, designation }: FieldPlace): IDataObject => ({
	page,
	x: box.x,
	y: box.y,
	field: field.name,
	signer: designation.signer_identifier,
});
