import type { IDataObject } from 'n8n-workflow';

import { InputFailure } from '../../../messages/failures';
import type { Faults } from '../../../messages/inputFaults';
import type { OperationCall } from '../../../run/operation';
import type { Params } from '../../../run/parameters/params';
import { readSizes } from '../../../pdf/pages';
import type { TransactionAnswer } from '../../../transport/answers/shapes';
import { asError } from '../../../transport/failure/failure';

import { asObjects } from '../../../values/json';
import { joinWithOr } from '../../../values/words';
import { joinHints } from '../../../form/hints';
import type { Retrieve } from '../api';
import { placeTexts } from './atText/placement';
import { checkGroups, checkOverlaps, checkDesignations, checkAgainstTransaction } from './checks';
import {
	parseDesignations,
	parseTextDesignations,
	withGroup,
	type EnteredDesignation,
	type UnplacedDesignation,
} from './designations';
import { parseFieldDesignations, parseIsByName } from './formFieldRows';
import { placeFields } from './formFields/placement';
import { findReadable, readFile } from '../files/bytes';
import {
	needsSigners,
	OFFICIAL_SIGNER,
	readSigner,
	setSigners,
	type Assignment,
	type LeftOutPlace,
} from './signers';
import { placeOnPages, type DocumentToPlace, type PlacedDesignations } from './pages';
import {
	checkWhereToSign,
	describeNoPlace,
	parseWhereToSign,
	buildChoiceFields,
	type WhereToSign,
} from './whereToSign';

/* From what a person has chosen in Where to Sign to the fields of the request. */

export interface Placement {
	/** What the choice adds to the request. */
	fields: IDataObject;
	/** What was found at texts, for the output. */
	foundPlaces?: IDataObject[];
	/** What was left out, because nobody or no text is there. */
	leftOut: LeftOutPlace[];
	/** From each role that was entered to the external ID. */
	signerIds: ReadonlyMap<string, string>;
	/** The same for parties that the names of form fields say. */
	partyIds?: ReadonlyMap<string, string>;
	hint?: string;
	/** Compares the signers with those of the transaction, and notes what doesn't fit. */
	check?(transaction: TransactionAnswer): void;
}

/**
 * Places the designations of a document, and checks them.
 * @param faults gets what can't be used, each with its row
 * @throws ServiceFailure when the file or the transaction can't be retrieved, and nothing else is wrong
 */
export async function placeDesignations(
	call: OperationCall,
	document: DocumentToPlace,
	faults: Faults,
): Promise<Placement> {
	const { params } = call;
	const whereToSign = faults.collect(() => parseWhereToSign(params));
	const nothing = { fields: {}, leftOut: [], signerIds: new Map<string, string>() };
	if (whereToSign === undefined) return nothing;
	const { choice } = whereToSign;
	const parsed = await parsePlaces(call, document, whereToSign, faults);
	const { entries, signerIds, isPlaced, place } = parsed;
	faults.collect(() => checkWhereToSign(params, choice, document.fields, isPlaced));
	if (!isPlaced)
		return {
			...nothing,
			fields: buildChoiceFields(choice),
			hint: describeNoPlace(params, choice, document.fields),
		};
	const groups = asObjects(document.fields.signing_designation_groups);
	for (const entry of entries) entry.designation = withGroup(entry.designation, groups);
	checkDesignations(entries);
	const { places, ...placement } = await withFaultsFirst(faults, place);
	const leftOut = [...parsed.leftOut, ...(placement.leftOut ?? [])];
	const rows = new Set([...places, ...leftOut].map(({ row }) => row));
	if (entries.every(({ row }) => rows.has(row)))
		checkGroups(places, groups, params.label('signing_designation_groups'), faults);
	checkSigning(params, document.fields, { places, leftOut }, faults);
	const overlaps = checkOverlaps(places);
	const checked: Placement = {
		check: (transaction) =>
			checkAgainstTransaction([...entries, ...places], transaction, faults, params),
		fields: places.length === 0 ? {} : { signing_designations: places.map(toDesignationRequest) },
		...{ leftOut, signerIds, partyIds: placement.partyIds },
		...(placement.output && { foundPlaces: placement.output }),
		hint: joinHints([
			...placement.hints,
			overlaps,
			describeMissingNotary(params, document.fields, [...entries, ...places]),
		]),
	};
	if (document.retrieve !== undefined) await checkPlacement(checked, document.retrieve, faults);
	return checked;
}

type UnassignedPlace = Omit<UnplacedDesignation, 'box'>;

/** What a person has entered for the choice, and how it's placed. */
interface ParsedPlaces extends Assignment<UnassignedPlace> {
	/** Whether the document gets designations. */
	isPlaced: boolean;
	place(): Promise<PlacedDesignations>;
}

async function parsePlaces(
	call: OperationCall,
	document: DocumentToPlace,
	whereToSign: WhereToSign,
	faults: Faults,
): Promise<ParsedPlaces> {
	const { params } = call;
	const { choice } = whereToSign;
	const findSignersFor = async <T extends UnassignedPlace>(all: T[]) =>
		await findSigners(all, document, whereToSign, faults);
	if (choice === 'text') {
		const all = parseTextDesignations(params, faults);
		const assignment = await findSignersFor(all);
		const entered = { ...assignment, all };
		const place = async () => await placeTexts(call, document, whereToSign, entered, faults);
		return { ...assignment, isPlaced: all.length > 0, place };
	}
	if (choice === 'fields') {
		const all = parseFieldDesignations(params, faults);
		const assignment = await findSignersFor(all);
		const isByName = parseIsByName(params);
		const entered = { entries: assignment.entries, hasRows: all.length > 0, isByName };
		const place = async () => await placeFields(call, document, entered, faults);
		return { ...assignment, isPlaced: isByName || all.length > 0, place };
	}
	const isRows = choice === 'rows' || choice === 'json';
	const all = isRows ? parseDesignations(params, choice === 'json', faults) : [];
	const assignment = await findSignersFor(all);
	const { entries } = assignment;
	const place = async () => await placeRows(call, document, whereToSign, entries, faults);
	return { ...assignment, isPlaced: all.length > 0, place };
}

/** Finds whose places are. The signers are retrieved only if an entry names a role. */
async function findSigners<T extends UnassignedPlace>(
	entries: T[],
	{ retrieve, retrieveSigners = retrieve, roles }: DocumentToPlace,
	{ leavesOut }: WhereToSign,
	faults: Faults,
): Promise<Assignment<T>> {
	const options = { roles, leavesOut: leavesOut.signers };
	if (retrieveSigners === undefined || !needsSigners(entries, options))
		return { entries, leftOut: [], signerIds: new Map() };
	const transaction = await withFaultsFirst(faults, retrieveSigners);
	return setSigners(entries, transaction, options);
}

/** A place as the service takes it: it counts pages from 0. */
const toDesignationRequest = ({
	designation,
	page,
	box,
}: PlacedDesignations['places'][number]): IDataObject => ({
	...designation,
	page_number: page - 1,
	...box,
});

/** Says that a document is notarized, and has places for others only. The team of a closing adds them. */
const describeMissingNotary = (
	params: Params,
	{ requirement, notarization_required: isRequired }: IDataObject,
	entries: Array<{ designation: IDataObject }>,
) =>
	params.getRaw('platform') !== 'realEstate' &&
	(requirement === 'notarization' || isRequired === true) &&
	!entries.some(({ designation }) => designation.signer_identifier === 'notary') &&
	'The document is notarized, and no place is for the notary';

/** Documents that signers sign by themselves, without meeting a notary. */
const ESIGNED = new Set<unknown>(['esign', 'esign_supervised']);

/** Checks that somebody is left who signs: no place is left out of a document that nobody signs then. */
function checkSigning(
	params: Params,
	{ requirement }: IDataObject,
	{ places, leftOut }: { places: UnassignedPlace[]; leftOut: LeftOutPlace[] },
	faults: Faults,
): void {
	const isSigned = places.some((place) => !OFFICIAL_SIGNER.test(readSigner(place)));
	if (isSigned || leftOut.length === 0 || !ESIGNED.has(requirement)) return;
	const signers = [...new Set(leftOut.map(({ signer }) => signer))];
	faults.note(
		new InputFailure(
			params.label('ifSignerMissing'),
			`leaves no place to sign: no ${joinWithOr(signers)} is there`,
			'Leave the document out, or enter who signs it',
		),
	);
}

/**
 * Compares the signers of places with those of the transaction, if there are places.
 * @param faults gets what doesn't fit
 * @throws InputFailure with all faults, or else ServiceFailure, when it can't be retrieved
 */
export async function checkPlacement({ check }: Placement, retrieve: Retrieve, faults: Faults) {
	if (check !== undefined) check(await withFaultsFirst(faults, retrieve));
}

/** Retrieves something. If that fails, what is wrong with the input says more. */
export const withFaultsFirst = async <T>(faults: Faults, retrieve: () => Promise<T>): Promise<T> =>
	await retrieve().catch((thrown: unknown) => {
		faults.throwIfAny();
		throw asError(thrown);
	});

async function placeRows(
	call: OperationCall,
	{ resource, fields }: DocumentToPlace,
	whereToSign: WhereToSign,
	entries: EnteredDesignation[],
	faults: Faults,
): Promise<PlacedDesignations> {
	const file = findReadable(call, resource, fields, whereToSign.fetches);
	const reading =
		file && (await faults.collectLater(async () => await readFile(call, file, readSizes)));
	const isUrl = typeof resource === 'string' && call.params.getChoice('source') === 'url';
	const remedy = `Enter its number, and measure from the bottom${isUrl ? ", or turn on 'Fetch the File to Check It'" : ''}`;
	return placeOnPages(entries, reading, whereToSign, remedy);
}
