/**
 * Joins the description of the service, which is split over openapi.yaml (the paths) and openapi/
 * (one file for each page of docs/service), into one OpenAPI document.
 */

import { readdirSync, readFileSync } from 'node:fs';

import { parse } from 'yaml';

import { ASSURANCE_FIELD } from '../world/config.mts';

const PATHS = new URL('../openapi.yaml', import.meta.url);
const PAGES = new URL('../openapi/', import.meta.url);

/** Parts of a page that become components of the document. Others only hold YAML anchors. */
const KINDS = ['schemas', 'parameters', 'responses'] as const;

/** The parts of one file of openapi/. */
type OpenapiPage = Record<(typeof KINDS)[number], Record<string, any>>;

/**
 * The files of openapi/ by the name of the page that describes them.
 * @param assuranceField API name of the identity-assurance object
 *   (docs/service/signers.md#identity-assurance)
 */
export function readOpenapiPages(assuranceField = ASSURANCE_FIELD): Map<string, OpenapiPage> {
	return new Map(
		readdirSync(PAGES)
			.filter((file) => file.endsWith('.yaml'))
			.sort()
			.map((file) => [
				file.replace('.yaml', ''),
				{
					schemas: {},
					parameters: {},
					responses: {},
					...(readYaml(new URL(file, PAGES), assuranceField) as Partial<OpenapiPage>),
				},
			]),
	);
}

/**
 * The whole description as an OpenAPI 3.1 document, without shared objects, so that it may be
 * changed and dereferenced.
 * @param assuranceField API name of the identity-assurance object
 *   (docs/service/signers.md#identity-assurance)
 * @throws Error when two pages have a component of the same name
 */
export function loadOpenapi(assuranceField = ASSURANCE_FIELD): any {
	const document = readYaml(PATHS, assuranceField) as any;
	for (const [name, page] of readOpenapiPages(assuranceField)) {
		for (const kind of KINDS) {
			const known = (document.components[kind] ??= {});
			for (const [key, component] of Object.entries(page[kind])) {
				if (Object.hasOwn(known, key))
					throw new Error(`openapi/${name}.yaml: ${key} is in ${kind} of another page, too`);
				known[key] = component;
			}
		}
	}
	return document;
}

/** Parses a file; what its anchors share is copied. */
function readYaml(file: URL, assuranceField: string): unknown {
	const text = readFileSync(file, 'utf8').replaceAll(ASSURANCE_FIELD, assuranceField);
	return JSON.parse(JSON.stringify(parse(text, { merge: true })));
}
