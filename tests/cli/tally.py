"""What runners of examples print, and how they end."""


def tally(complaints):
    """Prints every complaint and how many there are; an empty one is an example that passed. The exit status: 1
    when one failed, or none passed."""
    passed = failed = 0
    for said in complaints:
        passed += not said
        failed += bool(said)
        if said:
            print(said)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0
