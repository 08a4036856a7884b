import type { Description, Schema } from './description.mts';
import { lettersOf, numberOf } from './hash.mts';

/**
 * Makes answers from the schemas of the description: the same values for the same seed and place,
 * shown in one of several variants, which are all within what the schemas allow.
 */

export const VARIANTS = [
	// Every field.
	'all',
	// Only the fields that are always there.
	'required',
	// Null wherever the schema allows it and nothing else was written.
	'nulls',
	// Numbers as text.
	'textNumbers',
	// Lists and arrays the other way round, and the second form of what has two.
	'otherOrder',
	// Fields that nobody knows, everywhere, with names that hurt.
	'further',
] as const;
export type Variant = (typeof VARIANTS)[number];

/** For a field that an answer does not have, whatever the schema allows. */
export const ABSENT = Symbol('absent');

/** What is known of an answer: it is shown instead of something made up. */
export type Known = unknown;

const FURTHER = {
	object: 'thing',
	constructor: 'builder',
	toString: 'text',
	hasOwnProperty: true,
	length: 3,
	json: { nothing: null },
	further_field: { further: [{ deep: 1 }, null, 'text'] },
};

interface Origins {
	/** Of the service itself. */
	service: string;
	/** Of the storage that signed links lead to. */
	files: string;
}

export class Generator {
	readonly variant: Variant;
	private readonly description: Description;
	private readonly seed: number;
	private readonly origins: Origins;

	/** @param origins may be filled in later, before the first answer */
	constructor(description: Description, variant: Variant, seed: number, origins: Origins) {
		this.description = description;
		this.variant = variant;
		this.seed = seed;
		this.origins = origins;
	}

	/** Whether the second form of what has two is shown. */
	get secondForm(): boolean {
		return this.variant === 'otherOrder';
	}

	/**
	 * An answer by its schema.
	 * @param place names what the answer is about: the same place has the same values
	 */
	make(schema: Schema, place: string, known?: Known): unknown {
		const chosen = this.choose(schema, place, known);
		if ('const' in chosen) return chosen.const;
		if (known === null) return null;
		if (known === undefined && this.variant === 'nulls' && allowsNull(schema, this.description))
			return null;
		const types: string[] = [chosen.type ?? []].flat();
		if (chosen.properties !== undefined || types.includes('object'))
			return this.makeObject(chosen, place, (known ?? {}) as Record<string, unknown>);
		if (types.includes('array')) return this.makeArray(chosen, place, known);
		return this.show(known ?? this.makeUp(chosen, types, place));
	}

	/** A whole number from 0, made of the place. */
	private number(place: string): number {
		return numberOf(place, this.seed);
	}

	/** Small letters and digits, made of the place. */
	letters(place: string, length: number): string {
		return lettersOf(place, length, this.seed);
	}

	/** Resolves references, joins allOf, and takes one of anyOf. */
	private choose(given: Schema, place: string, known: Known): Schema {
		const schema = this.description.resolve(given);
		if (schema.allOf !== undefined) {
			const parts = schema.allOf.map((part: Schema) => this.choose(part, place, known));
			return {
				type: 'object',
				required: parts.flatMap(({ required = [] }: Schema) => required),
				properties: Object.assign({}, ...parts.map(({ properties }: Schema) => properties)),
			};
		}
		if (schema.anyOf === undefined || schema.properties !== undefined) return schema;
		const forms = schema.anyOf
			.map((form: Schema) => this.choose(form, place, known))
			.filter(({ type }: Schema) => type !== 'null') as Schema[];
		const fitting =
			known === undefined || known === null
				? forms
				: forms.filter((form) => typeOf(form) === typeOfValue(known));
		const [first = forms[0]] = fitting;
		const second = fitting.find((form) => typeOf(form) !== typeOf(first));
		return (this.secondForm ? second : undefined) ?? first;
	}

	private makeObject(
		{ properties = {}, required = [], additionalProperties }: Schema,
		around: string,
		known: Record<string, unknown>,
	): object {
		// What has an ID looks the same wherever it is shown.
		const own = known.id ?? known.signer_id;
		const place = typeof own === 'string' ? own : around;
		// An entry of a map, such as that of the accepted IDs.
		const names =
			typeof additionalProperties === 'object' ? { US: additionalProperties } : properties;
		const fields = Object.entries<Schema>(names)
			.filter(([name, schema]) => schema !== false && known[name] !== ABSENT)
			.filter(([name]) => this.variant !== 'required' || required.includes(name))
			.map(([name, schema]) => [name, this.make(schema, `${place}/${name}`, known[name])]);
		// Of parts that no schema names, those that were written are shown.
		if (Object.keys(names).length === 0) return { ...known };
		const further =
			this.variant === 'further' && names === properties ? Object.entries(FURTHER) : [];
		return Object.fromEntries([...further, ...fields]) as object;
	}

	private makeArray({ items = {} }: Schema, place: string, known: Known): unknown[] {
		const entries = Array.isArray(known)
			? known
			: Array.from({ length: 1 + (this.number(`${place}/length`) % 2) }, () => undefined);
		const made = entries.map((entry, index) => this.make(items, `${place}/${index}`, entry));
		return this.variant === 'otherOrder' ? made.reverse() : made;
	}

	private show(value: unknown): unknown {
		return this.variant === 'textNumbers' && typeof value === 'number' ? String(value) : value;
	}

	private makeUp(schema: Schema, types: string[], place: string): unknown {
		const values: unknown[] = (schema.enum ?? schema['x-known-values'] ?? []).filter(
			(value: unknown) => value !== null,
		);
		const number = this.number(place);
		if (values.length > 0) return values[number % values.length];
		if (types.includes('boolean')) return number % 2 === 1;
		if (types.includes('integer') || types.includes('number'))
			return (schema.minimum ?? 0) + (number % 50);
		return this.text(schema, place).slice(0, schema.maxLength ?? 5_000);
	}

	/** A text that fits the pattern of the schema and the name of the field. */
	private text({ pattern = '', format }: Schema, place: string): string {
		const names = place.split('/').filter((part) => !/^\d+$/.test(part));
		const name = names.at(-1) ?? '';
		const { service, files } = this.origins;
		const prefix = /^\^([a-z]{2})(_\?)?/.exec(pattern);
		if (pattern.startsWith('^https?')) return `${files}/${fileFor(place)}`;
		if (prefix) {
			const separator = prefix[2] === undefined ? '' : '_';
			return `${prefix[1]}${separator}${this.letters(place, 7)}`;
		}
		if (pattern.startsWith('^[1-9]')) return '3/9/2026';
		if (pattern !== '' || format === 'date-time') return this.time(place);
		if (name === 'video_url' || name === 'api_url')
			return `${service}/v1/transactions/ot_done001/notarization_records/me_${this.letters(place, 7)}/download_asset?asset_key=generic_video_session`;
		if (name === 'chat_url') return `${files}/chat.txt`;
		if (name === 'data') return TINY_PDF.toString('base64');
		if (/(_link|_url|url)$/.test(name)) return `https://example.com/${this.letters(place, 5)}`;
		return TEXTS[name] ?? `${name.replaceAll('_', ' ')} ${number3(this.number(place))}`;
	}

	/** A time with microseconds, within 2026. */
	private time(place: string): string {
		const milliseconds = Date.UTC(2026, 0, 1) + (this.number(place) % 300) * 86_400_000;
		return new Date(milliseconds).toISOString().replace('Z', '000Z');
	}
}

/** The texts of fields that have a form of their own. */
const TEXTS: Record<string, string> = {
	email: 'kim@example.com',
	shared_inbox_email: 'team@example.com',
	state: 'MA',
	us_state_abbr: 'MA',
	postal: '02110',
	country: 'US',
	dob: '1980-05-17',
	primary_expiry_date: '2031-05-17',
	primary_issuer: 'US',
	country_code: '1',
	number: '6175550123',
	phone_number: '6175550123',
	header: '',
	headers: 'X-Case: 1',
	request_id_header_name: 'X-Request-Id',
	retrieval_id: 'AB12CD34',
	retrieval_pin: 'AB12CD',
};

/** A PDF of one empty page. */
export const TINY_PDF = Buffer.from(
	'%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
);

function fileFor(place: string): string {
	const name = place.replaceAll(/[^\w]+/g, '-');
	return /front|back|selfie|image|logo/.test(place) ? `${name}.png` : `${name}.pdf`;
}

const number3 = (value: number) => String(value % 1000).padStart(3, '0');

function allowsNull(given: Schema, description: Description): boolean {
	const schema = description.resolve(given);
	return (
		[schema.type ?? []].flat().includes('null') ||
		(schema.anyOf ?? []).some((form: Schema) => form.type === 'null')
	);
}

function typeOf({ type, properties }: Schema): string {
	if (properties !== undefined) return 'object';
	return [type ?? 'string'].flat()[0] as string;
}

function typeOfValue(value: unknown): string {
	return Array.isArray(value) ? 'array' : typeof value;
}
