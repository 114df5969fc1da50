// The themes of the house, as the API has them.

import { api, dataOf } from "../../api/client.js";
import type { HouseTheme } from "../../themes/own.js";
import { type Loaded, useLoad } from "../load.js";

/** Loads the themes of the house. */
export function useThemes(): Loaded<HouseTheme[]> {
  return useLoad("themes", async () => (await dataOf(api.GET("/v1/themes"))).themes as HouseTheme[]);
}
