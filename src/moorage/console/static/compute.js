// What the pages ask of the compute service. One that is served beside the console is asked itself, in the name of
// whoever looks; somebody else's, such as a Nova, is asked by the console, for those who may. Where that one is away,
// there is nothing to list, and `onAway` is told why: what Placement knows can be shown all the same.

/** { aggregates, flavors, images, zones, serversOf, placementQuery }, each by the names of the compute API. */
export function computeOf({ api, services, may }, onAway = () => {}) {
  return services.includes("compute") ? beside(api, may) : elsewhere(api, may, onAway);
}

function beside(api, may) {
  return {
    aggregates: async () => (may.see_aggregates ? (await api.compute("os-aggregates")).aggregates : []),
    flavors: async () => (await api.compute("flavors/detail")).flavors,
    images: async () => (await api.image("images?limit=500&status=active")).images,
    zones: async () => (await api.compute("os-availability-zone")).availabilityZoneInfo.map((zone) => zone.zoneName),
    serversOf: async (host) => (may.see_servers ? (await api.compute(`moorage/hosts/${encodeURIComponent(host)}/servers`)).servers : []),
    placementQuery: (wanted) => api.compute(`moorage/placement-query?${wanted}`),
  };
}

function elsewhere(api, may, onAway) {
  let told = false;

  async function list(path, key) {
    if (!may.ask_for_compute) return [];
    try {
      return (await api.console(`compute/${path}`))[key];
    } catch (error) {
      if (error.status !== 503) throw error;
      if (!told) onAway(error.message);
      told = true;
      return [];
    }
  }

  const aggregates = () => list("aggregates", "aggregates");
  return {
    aggregates,
    flavors: () => list("flavors", "flavors"),
    images: () => list("images", "images"),
    zones: async () => [...new Set((await aggregates()).map((each) => each.availability_zone).filter(Boolean))].sort(),
    serversOf: (host) => list(`hosts/${encodeURIComponent(host)}/servers`, "servers"),
    placementQuery: (wanted) => api.console(`compute/placement-query?${wanted}`),
  };
}
