/**
 * Whether two texts are the same ID. A service writes an ID with and without its underscore:
 * `or_od4kenk` and `orod4kenk` are one organization (docs/service/README.md#identifiers).
 */
export function sameId(one: unknown, other: unknown): boolean {
	return (
		typeof one === 'string' &&
		typeof other === 'string' &&
		one !== '' &&
		one.replace('_', '') === other.replace('_', '')
	);
}
