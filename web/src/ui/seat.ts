const HUES = [42, 200, 322, 135, 265, 15, 95, 230, 350, 170];

/** Every seat has a colour of its own, the same everywhere. */
export const hueOf = (seat: number): number => HUES[seat % HUES.length];
