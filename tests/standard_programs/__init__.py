"""An abstract machine for programs with threads, from the standards' side, and its brute force.

`machine` has states and steps, `behaviour` visits all states and says which outcomes and failures there are.
Nothing here knows how norn works, or shares code with the other oracles of these tests.
"""
