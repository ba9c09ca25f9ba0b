/**
 * Where a new member goes once they have a nickname: to the welcome, unless they came for something.
 * @param next path of this site where the sign-in was to lead
 */
export function firstPlace(next: string): string {
  return next === "/" ? "/welcome" : next;
}
