"""The simulation: nodes are vessels, instances of split flavors are solid blocks, pooled demand is a liquid."""
